#!/bin/sh
# slow_machine.sh BIN-DIR SCRATCH FAST-CLOCK: verify is cut at a number of events, so that a hunt is
# exact, or not, whatever the machine and its load. Here the clock goes twenty times as fast, or the
# machine is stalled for a moment. What is preloaded for that is in the program, too.
. "$(dirname "$0")/../common.sh"
build sources/many_orders.c

# hunt OPTIONS: the lines of its JSON that say what was decided.
hunt() {
    "$@" "$stalemate" hunt --trust-foreign --timeout 1000 --quiet --json all.json --out out -- \
        ./many_orders >/dev/null 2>&1 || true
    rm -rf out
    grep -E '"(verdict|model|exact|variable)":' all.json || fail "no verdicts: $*"
}
hunt env >usual
grep -q '"exact": true' usual || fail "not exact: $(cat usual)"
! grep -q '"exact": false' usual || fail "not exact: $(cat usual)"
hunt env LD_PRELOAD="$3" >slow
cmp usual slow || fail "another verdict on a slow machine: $(cat slow)"

# A machine that is stalled for two seconds during one of the first executions makes as many as one
# that is not. The hunt must read the clock more often than it takes to be stalled at each point.
"$stalemate" cc -g -O1 -pthread -o prog "$here/../../examples/message_passing.c"
executions() {
    rm -rf out
    "$@" "$stalemate" hunt --trials 100 --timeout 1000 --jobs 1 --quiet --json all.json --out out -- \
        ./prog >/dev/null 2>&1 || [ $? = 1 ] || fail "hunt: $*"
    sed -n '/"search"/,/}/s/.*"executions": \([0-9]*\).*/\1/p' all.json
}
usual=$(executions env)
[ -n "$usual" ] || fail "no number of executions"
for read in 2 4 6 8 10 12 16 20 24; do
    stalled=$(executions env LD_PRELOAD="$3" STALL=$read)
    [ "$stalled" = "$usual" ] || fail "stalled at read $read of the clock: $stalled executions, not $usual"
done
