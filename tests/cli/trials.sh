#!/bin/sh
# run --trials: each distinct failure with a seed that shows it again, a count and a witness.
. "$(dirname "$0")/../common.sh"
for name in abba_update lost_wakeup_publication; do
    "$stalemate" cc -g -O1 -pthread -o $name "$here/../hunt/two_bugs/$name.c" || fail "cannot build"
done
"$stalemate" cc -g -O1 -pthread -o ordered "$here/../hunt/programs/locked_update.c"
run="$stalemate run"

# both bugs, whatever the first is
says 1 "failure: deadlock: thread 1 holds 'a' (" $run --trials 300 --json all.json -- \
    ./abba_update
also "failure: assert:"
also "2 distinct failures in 300 executions under sc"
for key in seed schedule count witness kind detail place executions complete failures; do
    grep -q "\"$key\":" all.json || fail "no $key in the JSON"
done

# the seed and the witness show it again
sed -n 's/.*with seed [0-9]*: stalemate //p' output >again
sed -n 's/^  replay with: stalemate //p' output >>again
[ "$(wc -l <again)" = 4 ] || fail "two failures have four commands"
while read -r command; do
    eval "says 1 FAILED \"\$stalemate\" $command"
done <again

# the first failure is enough
says 1 "1 distinct failure" $run --trials 100000 --until-failure --json first.json -- \
    ./lost_wakeup_publication
grep -q '"complete": true' first.json || fail "stopped at the first failure is what was asked for"
executions=$(sed -n 's/^ *"executions": \([0-9]*\),*/\1/p' first.json)
[ "$executions" -lt 100000 ] || fail "it went on after the first failure"

# random, pct and pos take turns: each alone finds it, and in turns they have seeds of their own
for schedule in random pct pos; do
    says 1 "failure: deadlock" $run --trials 200 --schedule $schedule -- ./abba_update
done

# nothing to find
says 0 "0 distinct failures in 30 executions" $run --trials 30 -- ./ordered

# what does not fit together
says 2 "leave out --record" $run --trials 3 --record file -- ./ordered
says 2 "--trials N" $run --until-failure -- ./ordered
