#!/bin/sh
# A failure under sc names the races in its execution, and the table does not let a benign one of
# them pass for harmless.
. "$(dirname "$0")/../common.sh"
build sources/missing_barrier.c
build sources/late_race.c
$stalemate cc -g -O1 -pthread -DBOTH -o both "$here/sources/missing_barrier.c" || fail "cannot build both"

says 1 "failure: exit under sc" $stalemate hunt --json missing.json --out missing.out -- ./missing_barrier
also "  Its execution has data races on "
also "benign"
also "  benign by its values, but in the execution of a failure above: "
tr -d ' \n' <missing.json | grep -q '"races":\[[^{]*"to"' || fail "missing.json does not name the race"
says 1 "Its execution has data races on " $stalemate report missing.out

# Its twins: no race, and a benign race without a failure.
says 0 "0 racy variables" $stalemate hunt --json both.json --out both.out -- ./both
never "in the execution"
says 0 "1 racy variable: 1 benign" $stalemate hunt --seed 3001 --no-exact --out late.out -- ./late_race
never "in the execution"
