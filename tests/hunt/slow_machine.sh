#!/bin/sh
# slow_machine.sh BIN-DIR SCRATCH FAST-CLOCK: verify is cut at a number of events, so that a hunt is
# exact, or not, whatever the machine and its load. Here the clock goes twenty times as fast.
. "$(dirname "$0")/../common.sh"
build sources/many_orders.c

# hunt OPTIONS: the lines of its JSON that say what was decided.
hunt() {
    "$@" "$stalemate" hunt --timeout 1000 --quiet --json all.json --out out -- ./many_orders \
        >/dev/null 2>&1 || true
    rm -rf out
    grep -E '"(verdict|model|exact|variable)":' all.json || fail "no verdicts: $*"
}
hunt env >usual
grep -q '"exact": true' usual || fail "not exact: $(cat usual)"
! grep -q '"exact": false' usual || fail "not exact: $(cat usual)"
hunt env LD_PRELOAD="$3" >slow
cmp usual slow || fail "another verdict on a slow machine: $(cat slow)"
