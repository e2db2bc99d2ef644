#!/bin/sh
# --prove: benign becomes proved-benign exactly where verify has seen every execution.
. "$(dirname "$0")/../common.sh"
jpr=$here/../../bench/jpr
build sources/greeting.c
build sources/wait_at_barrier.c
build sources/handover.c
build ../../bench/jpr/hash.c
build ../../bench/jpr/isprime.c
"$stalemate" cc -g -O1 -pthread -DREREAD -o hash2 "$jpr/hash.c" || fail "cannot build hash.c"
"$stalemate" cc -g -O1 -pthread -DLIMIT -o late "$here/sources/wait_at_barrier.c" ||
    fail "cannot build wait_at_barrier.c"
"$stalemate" cc -g -O1 -pthread -DUSED -o used "$here/sources/handover.c" ||
    fail "cannot build handover.c"
hunt="$stalemate hunt --no-exact --trials 40"

says 0 "1 racy variable: 1 benign" $hunt -- ./hash
says 0 "1 racy variable: 1 proved-benign" $hunt --prove --json proof.json -- ./hash
also "verify covered every execution under oota: 3, none fails"
grep -q '"verdict": "proved-benign"' proof.json || fail "no verdict in the JSON"
says 0 "1 proved-benign" $hunt --prove -- ./isprime
says 0 "1 proved-benign" $hunt --prove --oracle 'grep -q hello' -- ./greeting hello

says 0 "1 proved-benign" $hunt --prove -- ./wait_at_barrier
says 0 "1 proved-benign" $hunt --prove -- ./handover

# Twins: a bound was hit; verify does not know joining with a time limit; verify finds a failure that
# a hunt which serves nothing stale does not; what is read goes with the number.
says 0 "1 racy variable: 1 benign" $hunt --prove --bound 1 -- ./hash
also "verify was cut under oota"
says 0 " benign" $hunt --prove -- ./late
also "verify cannot explore this program under oota"
says 0 "1 racy variable: 1 undecided" $hunt --prove --heuristic sc --model sc -- ./hash2
also "verify found an execution that fails under hb"
says 1 "1 destructive" $hunt --prove -- ./hash2
says 1 "1 destructive" $hunt --prove -- ./used
