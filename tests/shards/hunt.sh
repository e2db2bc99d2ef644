#!/bin/sh
# hunt.sh BIN-DIR SCRATCH JSON-WITHOUT: shards of a hunt, merged, are the hunt of one machine:
# verdicts, models, counts, failures, stories, witnesses byte for byte.
. "$(dirname "$0")/common.sh"

hunted() {
    program=./$1
    trials=$2
    shift 2
    alone hunt --trials "$trials" "$@"
    for n in 1 2 3 5; do
        divided $n hunt --trials "$trials" "$@"
    done
}

for name in message_passing initialised_again torn_time hidden_race list_push never_read array_sample; do
    "$stalemate" cc -g -O1 -pthread -o $name "$here/../hunt/programs/$name.c"
done
hunted message_passing 30
grep -q '"destructive": 2' all.txt || fail "message passing is destructive"
hunted initialised_again 30
grep -q '"benign": 1' all.txt || fail "initialised to the same value again is benign"
hunted torn_time 30
hunted hidden_race 20
hunted never_read 20
hunted list_push 20 --together
hunted array_sample 20 --model c11

# Values from the future, two blocks of them.
program=./hidden_race
alone hunt --trials 120 --prescient
divided 1 hunt --trials 120 --prescient
divided 3 hunt --trials 120 --prescient

# Executions under sc go on after the plan: merge makes them, and those of a race that they show.
for name in mailbox late_race; do
    "$stalemate" cc -g -O1 -pthread -o $name "$here/../hunt/sources/$name.c"
done
# With a time, for without one the hunt of one machine may end by its clock.
program=./mailbox
alone hunt --trials 200 --time 3000
divided 1 hunt --trials 200 --time 3000
divided 3 hunt --trials 200 --time 3000
grep -q '"kind": "lost-wakeup"' all.txt || fail "a wake-up is lost"
program=./late_race
alone hunt --trials 200 --seed 3001 --no-exact --time 3000
divided 1 hunt --trials 200 --seed 3001 --no-exact --time 3000
divided 3 hunt --trials 200 --seed 3001 --no-exact --time 3000
grep -q '"benign": 1' all.txt || fail "a race that comes late is benign"

# An oracle, an input, and more shards than executions.
cat >echo.c <<'EOF'
#include <pthread.h>
#include <stdio.h>
static int x;
static void *add(void *none)
{
    x++;
    return none;
}
int main(void)
{
    char word[20] = "";
    pthread_t a, b;
    if (scanf("%19s", word) != 1)
        return 9;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%s %d\n", word, x);
}
EOF
"$stalemate" cc -g -O1 -pthread -o echo echo.c
program=./echo
echo hello >input
"$stalemate" hunt --trials 4 --oracle 'grep -q "hello 2"' --out all --json alone.json --quiet -- ./echo \
    <input >log 2>&1 || [ $? = 1 ] || { cat log; fail "with an oracle"; }
rm -rf alone && mv all alone
rm -rf shard-*
for i in $(seq 12); do
    "$stalemate" hunt --trials 4 --oracle 'grep -q "hello 2"' --shard "$i/12" --out "shard-$i" --quiet \
        -- ./echo <input >log 2>&1 || { cat log; fail "a shard with an oracle"; }
done
merged shard-*
same "an oracle and an input"
grep -q '"kind": "oracle"' all.txt || fail "the oracle rejects a lost update"

# A shard without executions of its own is missing: still said.
rm -rf all
says 1 "11 of 12 shards; missing: 12" "$stalemate" merge --out all --json all.json shard-? shard-10 shard-11
grep -q '"complete": *false' all.json || fail "complete without a shard"
