#!/bin/sh
# command.sh BIN-DIR SCRATCH: what hunt and check say of values from the future.
. "$(dirname "$0")/../common.sh"
figures=$here/../../bench/prescient/programs
for source in "$figures/figure2.c" "$figures/figure8.c" "$here/programs/pointer_refused.c" \
    "$here/programs/stale_and_future.c"; do
    "$stalemate" cc -g -O1 -pthread -o "$(basename "$source" .c)" "$source" || fail "cannot build"
done
hunt="$stalemate hunt --trials 40"

says 0 "2 benign" $hunt --no-prescient --json none.json -- ./figure2
[ "$(grep -c '"future_reads": 0' none.json)" = 2 ] || fail "--no-prescient foresees something"

says 2 "leave one out" $hunt --prescient --no-prescient -- ./figure2
says 2 "only the model hb has values from the future" $hunt --prescient --model c11 -- ./figure2

# What is told and never stored is counted, and nothing is reported.
says 0 "1 benign" $hunt --prescient --variable head --json refused.json -- ./pointer_refused
grep -q '"unvalidated": [1-9]' refused.json || fail "nothing was refused"
grep -q '"future_reads": [1-9]' refused.json || fail "nothing was validated"

# What takes a stale value as well as one from the future is not found with either alone.
says 0 "1 benign" $hunt --prescient --heuristic sc --variable x -- ./stale_and_future
says 0 "1 benign" $hunt --no-prescient --variable x -- ./stale_and_future

# A value that depends on itself.
says 1 "circular: that store is made only because the value was foreseen" \
    $hunt --json circular.json -- ./figure8
grep -q '"circular": true' circular.json || fail "it is not called circular"
says 0 '"circular": true' "$stalemate" check --json - .stalemate/witnesses/x-1.smw
says 0 "2 benign" $hunt --no-thin-air --out thick -- ./figure8
[ ! -e thick/witnesses/x-1.smw ] || fail "a witness was written all the same"

# Load buffering is not: nothing depends on what is read.
says 1 "from the future" $hunt --out plain --json plain.json -- ./figure2
grep -q '"circular": false' plain.json && ! grep -q '"circular": true' plain.json ||
    fail "load buffering is called circular"
says 0 '"circular": false' "$stalemate" check --json - plain/witnesses/x-1.smw
