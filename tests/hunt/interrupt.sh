#!/bin/sh
# Ctrl-C and --time keep what was found, and the same command goes on from there.
. "$(dirname "$0")/../common.sh"
build programs/message_passing.c

env --default-signal=INT "$stalemate" hunt --trials 1000000 -- ./message_passing >output 2>&1 \
    </dev/null &
driver=$!
tries=0
until ls .stalemate/witnesses/data-1.smw >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || fail "nothing is found"
    sleep 0.1
done
kill -s INT $driver
status=0
wait $driver || status=$?
[ $status -gt 128 ] || { cat output; fail "status $status after SIGINT"; }
also "interrupted; the same command goes on from here"
also "data      destructive"
says 1 "" "$stalemate" replay .stalemate/witnesses/data-1.smw

says 1 "the time was over" "$stalemate" hunt --trials 1000000 --time 2 -- ./message_passing
also " remembered)"
also "data      destructive"
