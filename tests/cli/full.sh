#!/bin/sh
# What cannot be written is told, on standard output too, and is no success.
. "$(dirname "$0")/../common.sh"
build victim.c
"$stalemate" run --quiet --record w -- ./victim >/dev/null </dev/null || fail "cannot record"

# full COMMAND...: with a standard output that takes nothing.
full() {
    got=0
    "$stalemate" "$@" >/dev/full 2>output </dev/null || got=$?
    [ $got = 2 ] || { cat output; fail "status $got, not 2: $*"; }
    also "stalemate: cannot write standard output"
    [ "$(grep -c "cannot write" output)" = 1 ] || { cat output; fail "told more than once: $*"; }
}
full --help
full --version
full hunt --help
full check w
full check --json - w
full hunt --trials 10 -- ./victim
full report
full atomicity --trials 2 -- ./victim
for format in json html sarif junit trace dot; do
    full report --$format -
done
for command in run verify; do
    full $command --quiet --json - -- ./victim
done

# Twins: there is room; the reader goes away; nothing was to be said.
says 0 "legal" "$stalemate" check w
[ "$("$stalemate" --help 2>&1 | head -n 1 | grep -c usage)" = 1 ] || fail "no help"
"$stalemate" check --quiet w >/dev/full 2>output || fail "a command that says nothing fails"
