#!/bin/bash
# What the Tab key offers, in bash and in zsh.
. "$(dirname "$0")/../common.sh"
share=$(cd "$1/../share" && pwd)

# bash calls the function with the words of the line; here we do.
. "$share/bash-completion/completions/stalemate"
# offers "WORDS" LINE...: with the cursor behind the last word.
offers() {
    local expected=$1
    shift
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _stalemate || true
    [ "${COMPREPLY[*]}" = "$expected" ] || fail "bash: '${COMPREPLY[*]}', not '$expected': $*"
}
offers "run report replay" stalemate r
offers "hunt harness" stalemate h
offers "--combinations" stalemate harness --com
offers "--seed --schedule --steps --sample --shard" stalemate run --s
offers "sc tso pso c11 hb oota" stalemate hunt --model ""
offers "tso" stalemate hunt --model = t
offers "--html" stalemate report --ht
offers "" stalemate report --html ""
offers "" stalemate run -- --s
offers "--detect" stalemate cc --d
mkdir some_directory
offers "some_directory" stalemate hunt --out some

# zsh: a shell on a terminal of its own, and the Tab key.
tab=$(printf '\t')
zsh -f "$here/completion.zsh" "$share/zsh/site-functions" "stalemate verif$tab" \
    "stalemate run --mod$tab" "stalemate hunt --model ps$tab" "stalemate report --html=some_d$tab" \
    "stalemate hunt --together --vari$tab" >typed || fail "zsh does not answer"
cat >expected <<'END'
stalemate verify 
stalemate run --model=
stalemate hunt --model pso 
stalemate report --html=some_directory/
stalemate hunt --together --variable=
END
diff expected typed || fail "zsh completes otherwise"
