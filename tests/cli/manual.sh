#!/bin/sh
# Each command has a manual page, which has every option that --help names, and formats cleanly;
# docs/usage.md has them, too.
. "$(dirname "$0")/../common.sh"
pages=$1/../share/man/man1

# formats PAGE: as plain text, in the file `text`.
formats() {
    groff -man -Tascii -ww -P-cbou "$1" >text 2>errors || fail "groff fails on $1"
    [ ! -s errors ] || { cat errors; fail "groff complains about $1"; }
}

formats "$pages/stalemate.1"
cp text main
for command in $("$stalemate" --help | sed -n 's/^  \([a-z+]*\) .*\[.*/\1/p'); do
    formats "$pages/stalemate-$command.1"
    grep -q "stalemate-$command(1)" main || fail "stalemate.1 does not name stalemate-$command"
    for option in $("$stalemate" "$command" --help | grep -o -e '--[a-z][a-z-]*'); do
        grep -q -e "$option" text || fail "no $option in stalemate-$command.1"
        grep -q -e "$option" "$here/../../docs/usage.md" || fail "no $option in docs/usage.md"
    done
    words=$(sed -n '/^DESCRIPTION/,/^[A-CE-Z]/p' text | wc -w)
    [ "$words" -ge 20 ] || fail "write man/$command.man: what does the command do?"
done

# man finds the pages of a build tree whose bin/ is in PATH
PATH=$1:$PATH man -w stalemate-hunt >text 2>&1 || { cat text; fail "man does not find stalemate-hunt"; }
grep -q "$(cd "$pages" && pwd)/stalemate-hunt.1" text || { cat text; fail "man finds another page"; }

# --help has every option, the frequent ones first
says 0 "frequent options:" "$stalemate" hunt --help
also "further options:"
grep -q -e '--history N  *stores remembered' output || { cat output; fail "a further option is not described"; }
[ "$(grep -n -e '--trials' output | head -n 1 | cut -d: -f1)" -lt "$(grep -n 'further' output | cut -d: -f1)" ] ||
    fail "--trials is not among the frequent ones"
