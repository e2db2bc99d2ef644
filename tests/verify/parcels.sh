#!/bin/sh
# verify by workers that share a directory (--parcels): they are killed, interrupted, have a full
# disk, and come and go; the counts are those of one process.
# Usage: parcels.sh BIN-DIR SCRATCH FULL-DISK
. "$(dirname "$0")/../common.sh"
full_disk=$3
programs=$here/../../bench/verify/programs

# counts FILE: what must be equal, of a result.
counts() {
    sed -n '/"complete"/p; /"executions"/p; /"blocked"/p; /"output"/p; /"count"/p; /"detail"/p' "$1"
}

# same FILE: as the result of one process.
same() {
    counts "$1" >got
    cmp -s want got || { diff want got; fail "$1 is not what one process finds"; }
}

# worker NAME OPTIONS... -- PROGRAM: in the background; $! is the process of the driver.
worker() {
    name=$1
    shift
    "$stalemate" verify --model c11 --jobs 1 --out "out.$name" --json "$name.json" --parcels shared \
        "$@" >"$name.text" 2>&1 </dev/null &
}

busy() {
    ls shared/round-*/busy | grep -q ,
}

"$stalemate" cc -g -O1 -pthread -DROUNDS=6 -o fib "$programs/fib_bench.c"
"$stalemate" cc -g -O1 -pthread -o ainc "$programs/ainc.c"
echo '  "complete": true,
  "executions": 8149694,
  "blocked": 0,' >want

# One is killed, one interrupted, one has no room; two others finish.
worker killed -- ./fib
victim=$!
await $victim busy
kill -9 $victim
wait $victim 2>/dev/null || true
busy || fail "the worker was through before it was killed"

LD_PRELOAD=$full_disk "$stalemate" verify --model c11 --jobs 1 --out out.full --parcels shared -- ./fib \
    >full.text 2>&1 </dev/null && fail "a full disk is no error"
grep -q 'No space left on device' full.text || { cat full.text; fail "a full disk is not named"; }
busy && fail "the parcel was not given back"

worker interrupted -- ./fib
victim=$!
await $victim busy
kill -TERM $victim # a shell lets its jobs ignore SIGINT
wait $victim && fail "interrupted, and it exits 0"
grep -q 'the same command goes on from there' interrupted.text ||
    { cat interrupted.text; fail "it does not say how to go on"; }
busy && fail "the parcel was not given back"

worker one -- ./fib
one=$!
worker two -- ./fib
two=$!
wait $one || fail "the first failed: $(cat one.text)"
wait $two || fail "the second failed: $(cat two.text)"
for result in one two; do
    counts "$result.json" | sed '/"output"/d; /"count"/d' >"$result.counts"
    cmp -s want "$result.counts" || { cat "$result.counts"; fail "counts of $result"; }
done
[ "$(ls shared/round-1/done | wc -l)" -gt 4 ] || fail "it was not shared out"
[ -z "$(ls shared/tmp shared/workers shared/round-*/todo shared/round-*/busy | grep -v : | tr -d '\n')" ] ||
    fail "something is left over: $(ls shared/*)"

# Who comes when everything is done has the result, too; another program is refused by name.
says 0 '8149694 executions, 0 blocked' "$stalemate" verify --model c11 --parcels shared -- ./fib
says 2 "here 'model sc'" "$stalemate" verify --model sc --parcels shared -- ./fib
says 2 'another exploration' "$stalemate" verify --model c11 --parcels shared -- ./ainc

# Violations are found once, by two workers, with a witness that replays; --first; hb, which is not
# shared out; and the twin without one.
"$stalemate" cc -g -O1 -pthread -DWEAK -o weak "$here/structures/treiber.c"
"$stalemate" cc -g -O1 -pthread -o strong "$here/structures/treiber.c"
says 1 '' "$stalemate" verify --model c11 --jobs 1 --json alone.json -- ./weak
counts alone.json >want
says 1 '' "$stalemate" verify --model c11 --jobs 2 --json weak.json --parcels weak.parcels -- ./weak
same weak.json
witness=$(sed -n 's/.*"witness": "\(.*\)".*/\1/p' weak.json | head -1)
says 1 'event for event' "$stalemate" replay "$witness"
says 0 '' "$stalemate" check "$witness"
[ "$(ls weak.parcels/violations/*.witness | wc -l)" = "$(ls weak.parcels/violations/*.json | wc -l)" ] ||
    fail "a violation was kept twice"
says 1 '' "$stalemate" verify --model c11 --first --jobs 2 --parcels first.parcels -- ./weak
says 0 '0 violations' "$stalemate" verify --model c11 --jobs 2 --parcels strong.parcels -- ./strong
says 0 '' "$stalemate" verify --model hb --json alone.json -- ./ainc
counts alone.json >want
says 0 '' "$stalemate" verify --model hb --jobs 2 --json hb.json --parcels hb.parcels -- ./ainc
same hb.json
