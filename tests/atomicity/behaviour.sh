#!/bin/sh
# behaviour.sh STALEMATE BINARY: the program ends by itself under every schedule, at worst by a
# failed assertion, and its twin (program.h) ends well.
set -u
stalemate=$1 binary=$2
log=$binary.log

run() # BINARY SCHEDULE SEED
{
    "$stalemate" run --quiet --schedule "$2" --seed "$3" -- "$1" >"$log" 2>&1 </dev/null
    status=$?
}

fail()
{
    echo "FAILED: exit status $status: $stalemate run --schedule $schedule --seed $seed -- $1" >&2
    cat "$log" >&2
    exit 1
}

for schedule in random pct pos rr; do
    for seed in 1 2 3; do
        run "$binary" $schedule $seed
        [ $status -eq 0 ] || grep -q 'Assertion .* failed' "$log" || fail "$binary"
        run "$binary.repaired" $schedule $seed
        [ $status -eq 0 ] || fail "$binary.repaired"
    done
done
