#!/bin/sh
# command.sh BIN-DIR SCRATCH: what hunt and check say of values from the future.
. "$(dirname "$0")/../common.sh"
figures=$here/../../bench/prescient/programs
for source in "$figures/figure2.c" "$figures/figure8.c" "$figures/figure11.c" "$here/programs/pointer_refused.c" \
    "$here/programs/stale_and_future.c"; do
    "$stalemate" cc -g -O1 -pthread -o "$(basename "$source" .c)" "$source" || fail "cannot build"
done
hunt="$stalemate hunt --no-exact --trials 40"

says 0 "2 benign" $hunt --no-prescient --json none.json -- ./figure2
[ "$(grep -c '"future_reads": 0' none.json)" = 2 ] || fail "--no-prescient foresees something"

says 2 "leave one out" $hunt --prescient --no-prescient -- ./figure2
says 2 "only hb and oota have values from the future" $hunt --prescient --model c11 -- ./figure2

# What is told and never stored is counted, and nothing is reported.
says 0 "1 benign" $hunt --prescient --variable head --json refused.json -- ./pointer_refused
grep -q '"unvalidated": [1-9]' refused.json || fail "nothing was refused"
grep -q '"future_reads": [1-9]' refused.json || fail "nothing was validated"

# What takes a stale value as well as one from the future is not found with either alone.
says 0 "1 benign" $hunt --prescient --heuristic sc --variable x -- ./stale_and_future
says 0 "1 benign" $hunt --no-prescient --variable x -- ./stale_and_future

# A value that depends on itself: oota. --model hb and --no-thin-air leave it out.
says 1 "not certified: from that read on, the thread alone does not make the store" \
    $hunt --json circular.json -- ./figure11
grep -q '"circular": true' circular.json || fail "it is not called circular"
grep -q '"model": "oota"' circular.json || fail "it is not said to need oota"
says 0 '"circular": true' "$stalemate" check --json - .stalemate/witnesses/x-1.smw
says 0 "2 benign" $hunt --no-thin-air --out thick -- ./figure11
says 0 "2 benign" $hunt --model hb --out thick -- ./figure11
[ ! -e thick/witnesses/x-1.smw ] || fail "a witness was written all the same"

# A store that comes in either branch is certified, although a path leads from the read to it.
says 1 "under hb" $hunt --model hb --out branches -- ./figure8
never "not certified"

# Load buffering is not: nothing depends on what is read.
says 1 "from the future" $hunt --out plain --json plain.json -- ./figure2
grep -q '"circular": false' plain.json && ! grep -q '"circular": true' plain.json ||
    fail "load buffering is called circular"
grep -q '"model": "hb"' plain.json || fail "load buffering is not said to fail under hb"
says 0 '"circular": false' "$stalemate" check --json - plain/witnesses/x-1.smw

# What hunt finds under a model, verify does not prove absent under it, and the other way round.
says 1 "destructive" $hunt --prove --out eleven -- ./figure11
never "proved-benign"
says 0 "proved-benign" $hunt --prove --model hb --out eleven -- ./figure11
