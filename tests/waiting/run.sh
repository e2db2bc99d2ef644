#!/bin/sh
# run.sh STALEMATE DIRECTORY WORK: who waits lets others run, under every schedule. The twins fail.
set -u
stalemate=$1 sources=$2 work=$3
mkdir -p "$work" && cd "$work" || exit 99

fail()
{
    echo "FAILED: $1" >&2
    cat text >&2
    exit 1
}

for name in streams events stop abandoned; do
    "$stalemate" cc -g -O1 -pthread "$sources/$name.c" -o $name &&
        "$stalemate" cc -g -O1 -pthread -DTWIN "$sources/$name.c" -o $name-twin || exit 99
    for schedule in random pct pos rr; do
        "$stalemate" run --schedule $schedule --timeout 1000 -- ./$name >text 2>&1 </dev/null ||
            fail "$name, $schedule: exit status $?"
    done
    "$stalemate" run --steps 2000000 --timeout 1000 -- ./$name-twin >text 2>&1 </dev/null
    [ $? = 1 ] || fail "$name-twin does not fail"
    case $name in
    streams | events) grep -q 'deadlock: thread 0 waits for a descriptor' text || fail "$name-twin hangs" ;;
    esac
done
exit 0
