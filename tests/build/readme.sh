#!/bin/sh
# Every command of the README works as printed, and prints what stands there, but for numbers.
# Every link of the documentation leads to a file.
. "$(dirname "$0")/common.sh"
source=$(cd "$here/../.." && pwd)
export PATH="$bin:$PATH"
export DESTDIR="$PWD/root"
unset STALEMATE_OPTIONS

for page in "$source"/README.md "$source"/docs/*.md; do
    grep -o '](\([^)#]*\)' "$page" | sed 's/^](//; /^$/d; /^http/d' | while read -r link; do
        [ -e "$(dirname "$page")/$link" ] || fail "$page: no $link"
    done
done

# A clone that was built: the files are the repository's, what comes to be stays here.
mkdir clone
for file in "$source"/*; do ln -s "$file" clone/; done
rm -f clone/build
ln -s "$(cd "$bin/.." && pwd)" clone/build

# Your own project.
mkdir project
cp "$source/examples/message_passing.c" project/your-test.c
cat >project/configure <<'END'
#!/bin/sh
for setting; do echo "$setting"; done >config.mk
END
chmod +x project/configure
cat >project/Makefile <<'END'
include config.mk
your-test: your-test.c
	$(CC) -g -O1 -pthread -o $@ your-test.c
END

normal() {
    sed 's/ (and [0-9]* remembered)//; s/0x[0-9a-f]*/X/g; s/[0-9][0-9.]*/N/g; s/  */ /g' "$1"
}

# follows: the lines of the output are those expected; "..." stands for any that are left out.
follows() {
    awk 'BEGIN { at = n = 0 }
        NR == FNR { line[n++] = $0; next }
        line[at] == $0 && at < n { at++; gap = 0; next }
        line[at] == "..." && at < n { gap = 1; at++ }
        gap && line[at] == $0 && at < n { at++; gap = 0; next }
        !gap { print "not expected: " $0; wrong = 1; exit }
        END {
            while (at < n && line[at] == "...") at++
            if (!wrong && at < n) { print "missing: " line[at]; wrong = 1 }
            exit wrong
        }' expected.normal output.normal
}

# check: runs $command in $place; what it prints is to be like the file `expected`.
check() {
    case $command in
    "" | "make test"*) return ;; # we are in it
    esac
    status=0
    (cd $place && sh -c "$command") >output 2>&1 </dev/null || status=$?
    [ $status -le 1 ] || { cat output; fail "status $status: $command"; }
    [ -s expected ] || return 0
    normal expected >expected.normal
    normal output >output.normal
    follows || fail "the README shows another output of: $command"
}

# Lines of console blocks, with a line "::::" behind each block.
awk '/^```console/ { on = 1; next } /^```/ { if (on) print "::::"; on = 0 } on' "$source/README.md" >blocks
place=clone command="" count=0
while IFS= read -r line; do
    case $line in
    '$ '* | ::::)
        check
        : >expected
        command=${line#\$ }
        [ "$command" != :::: ] || command=""
        case $command in "./configure"*) place=project ;; esac
        count=$((count + 1))
        ;;
    *) printf '%s\n' "$line" >>expected ;;
    esac
done <blocks
[ $count -ge 15 ] || fail "only $count lines with commands were found"
grep -q 'id="data"' project/report.html || fail "no page"
"$bin/../tests/report/report-check-sarif" clone/build/examples/report.sarif || fail "demo's SARIF"
[ -x root/usr/local/bin/stalemate ] || fail "not installed"
