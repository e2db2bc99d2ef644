#!/bin/sh
# Executions under sc go on while they show something new, and for a while after; the last line says
# what ended them.
. "$(dirname "$0")/../common.sh"
build sources/mailbox.c
build sources/late_race.c
build sources/many_places.c
$stalemate cc -g -O1 -pthread -DLOCKED -o locked "$here/sources/mailbox.c" || fail "cannot build locked"

number() {
    sed -n '/"search"/,/}/p' "$1.json" | sed -n "s/.*\"$2\": *\([0-9]*\).*/\1/p"
}
ended() {
    sed -n '/"search"/,/}/p' "$1.json" | grep -q "\"ended\": *\"$2\"" || fail "$1: not ended by $2"
}

# A lost wake-up that none of the first 207 executions shows, from whatever seed.
for seed in 1 1001 3001 5001 6001; do
    says 1 "failure: lost-wakeup under sc" $stalemate hunt --seed $seed --json lost.json --out lost.out \
        -- ./mailbox
    also "no data race is involved"
    ended lost saturation
    [ "$(number lost last_new)" -gt 207 ] || fail "seed $seed: found in the first executions"
done

# Its twin: two thousand executions.
says 0 "0 racy variables" $stalemate hunt --json two.json --out two.out -- ./locked
also "; stopped: the last $(($(number two executions) - $(number two last_new))) under sc found no new order of accesses"
ended two saturation
[ "$(number two executions)" -ge 2000 ] || fail "too few executions"
says 0 " remembered)" $stalemate hunt --out two.out -- ./locked
also "; stopped: the last "
says 0 "; stopped: the last " $stalemate report two.out

# A race that only comes late is investigated. What is seen does not depend on the workers.
says 0 "1 racy variable: 1 benign" $stalemate hunt --seed 3001 --no-exact --json late.json --out late.out -- \
    ./late_race
[ "$(number late last_new)" -gt 207 ] || fail "the race was seen in the first executions"
$stalemate hunt --seed 3001 --no-exact --jobs 3 --quiet --json jobs.json --out jobs.out -- ./late_race
for key in executions last_new pairs orders; do
    [ "$(number late $key)" = "$(number jobs $key)" ] || fail "$key depends on --jobs"
done

# --trials is the limit, if it is given, and --time; verify needs none of this.
says 0 "; stopped: number " $stalemate hunt --trials 40 --json few.json --out few.out -- ./locked
also "still found a new order of accesses"
ended few trials
[ "$(number few executions)" -lt 60 ] || fail "more than --trials asks for"
says 0 "; stopped: the time was over" $stalemate hunt --no-exact --no-prescient --time 1 --json time.json \
    --out time.out -- ./many_places all
ended time time
grep -q '"complete": *false' time.json || fail "complete, though the time was over"
says 0 "; stopped: verify has explored every execution under sc" $stalemate hunt --json exact.json \
    --out exact.out -- ./late_race
ended exact exact
