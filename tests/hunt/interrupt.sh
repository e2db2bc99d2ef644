#!/bin/sh
# Ctrl-C and --time keep what was found, and the same command goes on from there.
. "$(dirname "$0")/../common.sh"
build programs/message_passing.c

env --default-signal=INT "$stalemate" hunt --trials 1000000 -- ./message_passing >output 2>&1 \
    </dev/null &
driver=$!
await $driver ls .stalemate/witnesses/data-1.smw
kill -s INT $driver
status=0
wait $driver || status=$?
[ $status -gt 128 ] || { cat output; fail "status $status after SIGINT"; }
also "interrupted; the same command goes on from here"
also "data      destructive"
says 1 "" "$stalemate" replay .stalemate/witnesses/data-1.smw

# Status 3: not one execution was made in the time. A slow machine gets more.
seconds=2
while :; do
    status=0
    "$stalemate" hunt --trials 1000000 --time $seconds -- ./message_passing >output 2>&1 </dev/null || status=$?
    [ $status = 3 ] || break
    seconds=$((2 * seconds))
done
[ $status = 1 ] || { cat output; fail "status $status after --time $seconds"; }
also "the time was over"
also " remembered)"
also "data      destructive"
