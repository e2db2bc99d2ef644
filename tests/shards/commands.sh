#!/bin/sh
# commands.sh BIN-DIR SCRATCH JSON-WITHOUT: shards of run --trials, detect and atomicity, merged, are
# what one machine finds.
. "$(dirname "$0")/common.sh"
examples=$here/../../examples

# run --trials: each distinct failure, with its count and the seed of the first. `executions` is a
# result here, and compared too.
volatile="seconds shards"
"$stalemate" cc -g -O1 -pthread -o bank "$examples/bank_account.c"
"$stalemate" cc -g -O1 -pthread -o mp "$here/../hunt/programs/message_passing.c"
"$stalemate" cc -g -O1 -pthread -o lost "$here/../hunt/programs/lost_update.c"
program=./lost
alone run --trials 23
grep -q '"count"' alone.json || fail "run --trials finds the lost update"
for n in 1 2 3 5; do
    divided $n run --trials 23
done
program=./mp
alone run --trials 23 --model tso
divided 1 run --trials 23 --model tso
divided 3 run --trials 23 --model tso
says 2 "--until-failure" "$stalemate" run --trials 9 --until-failure --shard 1/2 -- ./mp
says 2 "say how many: --trials N" "$stalemate" run --shard 1/2 -- ./mp

# detect, under control.
alone detect --trials 12
grep -q '"variable"' alone.json || fail "detect finds the race"
for n in 1 2 3 5; do
    divided $n detect --trials 12
done
rm -rf all
says 1 "missing: 2" "$stalemate" merge --out all --json all.json shard-1 shard-3 shard-4 shard-5
grep -q '"complete": *false' all.json || fail "complete without a shard"

# detect, native: executions differ, so only their number and the races are compared.
"$stalemate" cc --detect -g -O1 -pthread -o native "$here/../hunt/programs/unused_counter.c"
program=./native
rm -rf shard-*
for i in 1 2 3; do
    shard $i 3 detect --trials 7
done
merged shard-3 shard-1 shard-2 shard-1
grep -q '"executions": *7' all.json || fail "seven executions in all"
grep -q '"complete": *true' all.json || fail "not complete"
cp all.json first.json
merged shard-1 shard-2 shard-3
cmp first.json all.json || fail "another order of native shards"

# atomicity.
program=./bank
alone atomicity --trials 7
grep -q '"pattern"' alone.json || fail "atomicity finds the violation"
for n in 1 2 3 5; do
    divided $n atomicity --trials 7
done
