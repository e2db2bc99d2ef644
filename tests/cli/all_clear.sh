#!/bin/sh
# "Nothing found" is said only where something was looked at; and --time is a limit for the whole
# command, also inside an execution. The programs under `timeout` never end by themselves.
. "$(dirname "$0")/../common.sh"
build ends_badly.c
"$stalemate" cc --detect -g -O1 -pthread -o native "$here/ends_badly.c" || fail "cannot build"
detect="$stalemate detect --out found"

# nothing is instrumented
clang-19 -O1 -c "$here/ends_badly.c" -o plain.o || fail "cannot compile"
"$stalemate" cc -pthread -o plain plain.o && "$stalemate" cc -pthread -o plain_native plain.o --detect
for command in hunt verify atomicity detect; do
    says 2 "nothing in it is instrumented" "$stalemate" $command --out found -- ./plain
done
says 2 "nothing in it is instrumented" $detect -- ./plain_native

# what crashes, aborts or hangs, and has no races
for program in ./native ./ends_badly; do
    says 0 "0 data races in 1 execution" $detect -- $program
    for how in crash abort; do
        says 1 "failure: signal" $detect --json found.json -- $program $how
        grep -q '"kind": "signal"' found.json || fail "$how is not in the JSON"
    done
    says 1 "failure: hang" timeout 100 $detect --timeout 0.5 -- $program spin
    says 0 "1 of the executions ended with a status other than 0, 7" $detect -- $program seven
done
says 1 "still running after 0.5 s (--timeout)" timeout 100 $detect --timeout 0.5 -- ./native hang
"$stalemate" report found >output || true
also "detect/failure: signal"

# no execution came to its end in the time
for command in hunt atomicity detect "run --trials 5"; do
    says 3 "the time was over" timeout 100 "$stalemate" $command --time 0.5 --out found -- \
        ./ends_badly spin
done
says 3 "the time was over" timeout 100 $detect --time 0.5 -- ./native hang
says 3 "the time was over" timeout 100 "$stalemate" run --time 0.5 -- ./ends_badly spin
says 3 "no execution was complete" timeout 100 "$stalemate" verify --time 0.5 --out found -- \
    ./ends_badly count
says 0 "1 executions" "$stalemate" verify --out found -- ./ends_badly

# cut, and said so
"$stalemate" cc -g -O1 -pthread -o passing "$here/../hunt/programs/message_passing.c"
for options in "hunt --trials 1000000" "detect --trials 100000000"; do
    timeout 200 "$stalemate" $options --time 1 --out found --json cut.json -- ./passing \
        >/dev/null 2>&1 || true
    grep -q '"complete": false' cut.json || fail "a $options that was cut is called complete"
done
"$stalemate" detect --trials 3 --out found --json whole.json -- ./passing >/dev/null 2>&1 || true
grep -q '"complete": true' whole.json || fail "a detect that was not cut is called incomplete"
