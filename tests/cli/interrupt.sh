#!/bin/sh
# Ctrl-C stops the program, too, and the shell learns of it.
. "$(dirname "$0")/../common.sh"
build victim.c
cp victim victim-$$

for signal in INT TERM; do
    : >output # what the last one said must not be taken for this one's
    # Started in the background, a shell would make it ignore SIGINT.
    env --default-signal=INT "$stalemate" run -- ./victim-$$ spin >output 2>&1 </dev/null &
    driver=$!
    await $driver grep -q spinning output
    kill -s $signal $driver
    status=0
    wait $driver || status=$?
    [ $status -gt 128 ] || { cat output; fail "status $status after SIG$signal"; }
    also "interrupted"
    ! grep -qsx "victim-$$" /proc/[0-9]*/comm || fail "the program goes on after SIG$signal"
done
