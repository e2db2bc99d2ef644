# completion.zsh SITE-FUNCTIONS LINE...: types each line into a zsh on a terminal of its own, and
# prints what has become of it. A line ends with the tab that asks for a completion.
zmodload zsh/zpty
cat >rc <<END
fpath=($1 \$fpath)
autoload -Uz compinit
compinit -u -D
unsetopt BEEP
zstyle ':completion:*' insert-tab false
take() { print -r -- "\$BUFFER" >>buffers; BUFFER=; }
zle -N take
bindkey '^X' take
END
shift
: >buffers
export TERM=vt100
zpty shell 'exec zsh -f -i'
zpty -w shell '. ./rc; print -n up; print -r " and running"'
zpty -r shell text '*up and running*' || exit 1
lines=0
for line; do
    zpty -w -n shell "$line"$'\C-x'
    (( ++lines ))
    # The terminal is read until the line was taken; what it shows is of no interest.
    while [[ $(wc -l <buffers) -lt $lines ]]; do
        zpty -r -t shell text || sleep 0.1
    done
done
zpty -d shell
cat buffers
