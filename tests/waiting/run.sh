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

# Both ends of Unix-domain sockets in the program: a deadlock. Another process has one: none.
"$stalemate" cc -g -O1 -pthread "$sources/sockets.c" -o sockets &&
    "$stalemate" cc -g -O1 -pthread -DTWIN "$sources/sockets.c" -o sockets-twin &&
    clang-19 "$sources/holder.c" -o holder || exit 99
for case in pair connection poll; do
    "$stalemate" run --timeout 1000 -- ./sockets $case >text 2>&1 </dev/null || fail "sockets $case"
    for command in "run" "run --trials 5"; do
        "$stalemate" $command --timeout 1000 -- ./sockets-twin $case >text 2>&1 </dev/null
        [ $? = 1 ] || fail "sockets-twin $case does not fail"
        grep -q 'deadlock: thread 0 waits for a descriptor' text || fail "sockets-twin $case hangs"
    done
done
for case in outside passed; do
    ./holder holder.socket >listens &
    until grep -q listens listens; do sleep 0.05; done
    "$stalemate" run --timeout 1000 -- ./sockets $case holder.socket >text 2>&1 </dev/null ||
        fail "sockets $case: exit status $?"
    wait $!
done
"$stalemate" cc -g -O1 "$sources/polled.c" -o polled || exit 99
"$stalemate" run -- ./polled >text 2>&1 </dev/null
[ $? = 1 ] || fail "polled does not fail"
grep -q 'waits for a descriptor (.*polled\.c:11)' text || fail "polled: not its line"

# Who waits for a thread that is not under control is no deadlock.
"$stalemate" cc -g -O1 -pthread "$sources/notified.c" -o notified &&
    "$stalemate" cc -g -O1 -pthread -DTWIN "$sources/notified.c" -o notified-twin || exit 99
for seed in 1 2 3 4 5; do
    "$stalemate" run --seed $seed -- ./notified >text 2>&1 </dev/null
    status=$?
    [ $status = 0 ] || [ $status = 3 ] || fail "notified: exit status $status"
    [ $status = 0 ] || grep -q 'a thread that is not under control' text || fail "notified: not named"
done
"$stalemate" run -- ./notified-twin >text 2>&1 </dev/null
[ $? = 1 ] || fail "notified-twin does not fail"
grep -q 'FAILED: deadlock' text || fail "notified-twin: no deadlock"

# Loops that no thread can end are a livelock, with nothing said of limits; others end.
"$stalemate" cc -g -O1 -pthread "$sources/stuck.c" -o stuck || exit 99
for case in each-other locked exchange plainly; do
    "$stalemate" run --record stuck.smw -- ./stuck $case >text 2>&1 </dev/null
    [ $? = 1 ] || fail "stuck $case does not fail"
    grep -q 'FAILED: livelock: .* waits in a loop for a change of' text || fail "stuck $case: no livelock"
    "$stalemate" check stuck.smw >text 2>&1 || fail "stuck $case: illegal"
    "$stalemate" replay stuck.smw >text 2>&1
    grep -q 'the same as recorded in stuck.smw, event for event' text || fail "stuck $case: replay"
done
for case in sum sleep memory register clock luck alarm child; do
    "$stalemate" run -- ./stuck $case >text 2>&1 </dev/null || fail "stuck $case fails"
    grep -q '^ends$' text || fail "stuck $case does not end"
done
"$stalemate" hunt --trials 10 --out stuck.out -- ./stuck each-other >text 2>&1 </dev/null
[ $? = 1 ] || fail "hunt of stuck: exit status"
grep -q '^failure: livelock under sc' text || fail "hunt of stuck: no livelock"
grep -q 'failure: hang' text && fail "hunt of stuck: a hang, too"
exit 0
