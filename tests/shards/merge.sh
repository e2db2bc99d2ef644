#!/bin/sh
# merge.sh BIN-DIR SCRATCH JSON-WITHOUT FULL-DISK: any order, any number of times, partial and damaged stores;
# stores that do not belong together are refused by name.
. "$(dirname "$0")/common.sh"
"$stalemate" cc -g -O1 -pthread -o mp "$here/../hunt/programs/message_passing.c"
program=./mp
alone hunt --trials 20
whole=
divided 5 hunt --trials 20
cp all.json first.json

# Three orders: equal bytes.
for order in "5 4 3 2 1" "2 5 1 4 3" "3 1 4 2 5"; do
    directories=
    for i in $order; do
        directories="$directories shard-$i"
    done
    # shellcheck disable=SC2086
    merged $directories
    cmp first.json all.json || fail "the order $order"
done

# A shard twice, a merge of merges, the same merge again into the same directory.
merged shard-1 shard-1 shard-2 shard-3 shard-4 shard-5 shard-3
cmp first.json all.json || fail "a shard that comes twice"
"$stalemate" merge --out all --json all.json --quiet shard-2 shard-4 >log 2>&1 || [ $? = 1 ] || fail "again"
cmp first.json all.json || fail "merged again"
rm -rf left right
"$stalemate" merge --out left --quiet shard-1 shard-4 >log 2>&1 || [ $? = 1 ] || { cat log; fail "left"; }
"$stalemate" merge --out right --quiet shard-2 shard-3 shard-5 >log 2>&1 || [ $? = 1 ] || fail "right"
merged right left
cmp first.json all.json || fail "a merge of merges"

# One is missing: said, and not complete.
rm -rf all
says 1 "4 of 5 shards; missing: 3" "$stalemate" merge --out all --json all.json shard-1 shard-2 shard-4 shard-5
also "not complete"
grep -q '"complete": *false' all.json || fail "complete without shard 3"
# It comes later.
"$stalemate" merge --out all --json all.json --quiet shard-3 >log 2>&1 || [ $? = 1 ] || fail "shard 3, later"
cmp first.json all.json || fail "a shard that comes later"
grep -q '"complete": *true' all.json || fail "not complete with all shards"

# A shard that was killed: what it has stored counts, and no more.
cat >adds.c <<'EOF'
#include <pthread.h>
#include <unistd.h>
static int x;
static void *add(void *none)
{
    for (int i = 0; i < 30; i++)
        x++;
    return none;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
EOF
"$stalemate" cc -g -O1 -pthread -o adds adds.c
program=./adds
rm -rf shard-*
shard 1 2 hunt --trials 400 --no-prescient
status=0
env LD_PRELOAD="$4" STORE_ROOM=40000 STORE_KILLS=1 "$stalemate" hunt --trials 400 --no-prescient \
    --shard 2/2 --out shard-2 --quiet -- ./adds >log 2>&1 </dev/null || status=$?
[ $status = 137 ] || fail "the shard was not killed: $status"
rm -rf all
says 0 "not complete: 2" "$stalemate" merge --out all --json all.json shard-1 shard-2
grep -q '"complete": *false' all.json || fail "complete with a shard that was killed"
made=$(grep -o '"trials": *[0-9]*' all.json | head -1 | grep -o '[0-9]*')
[ "$made" -gt 200 ] && [ "$made" -lt 400 ] || fail "$made trials of a shard and a part"
# Started again it goes on, and together they are whole.
alone hunt --trials 400 --no-prescient
shard 2 2 hunt --trials 400 --no-prescient
merged shard-1 shard-2
same "a shard that was killed and started again"

# Truncated and damaged stores are named; what can be read of them, and the rest, is merged.
program=./mp
alone hunt --trials 60
whole=
divided 3 hunt --trials 60
cp -r shard-2 whole-2
truncate -s 14000 shard-2/stalemate.db
rm -rf all
says 1 "shard-2: the store is damaged" "$stalemate" merge --out all --json all.json shard-1 shard-2 shard-3
grep -q '"complete": *false' all.json || fail "complete with a truncated store"
merged shard-1 shard-2 shard-3 whole-2
same "a whole copy beside the damaged one"
# Some bytes of one execution: SQLite does not see it, the sum of the row does.
cp whole-2/stalemate.db shard-2/stalemate.db
size=$(stat -c %s shard-2/stalemate.db)
printf DAMAGED | dd of=shard-2/stalemate.db bs=1 seek=$((size - 60)) conv=notrunc 2>/dev/null
rm -rf all
says 1 "shard-2: 1 execution of it is damaged, and left out" "$stalemate" merge --out all --json all.json shard-1 shard-2 shard-3
also "3 of 3 shards"
grep -q '"complete": *false' all.json || fail "complete without an execution"
head -c 3000 /dev/urandom >shard-2/stalemate.db
rm -rf all
says 1 "shard-2:" "$stalemate" merge --out all shard-1 shard-2 shard-3
also "2 of 3 shards; missing: 2"
rm shard-2/stalemate.db
says 1 "shard-2: there is no store in it" "$stalemate" merge --out all shard-1 shard-2 shard-3
rm -rf shard-2
says 2 "no directory shard-2" "$stalemate" merge --out all shard-1 shard-2 shard-3
mv whole-2 shard-2

# Several shards may share a directory.
rm -rf both
for i in 1 2; do
    "$stalemate" hunt --trials 60 --shard $i/3 --out both --quiet -- ./mp >log 2>&1 </dev/null || fail "a shared directory"
done
merged both shard-3
same "shards that share a directory"

# What does not belong together is refused by name, and nothing is merged.
refused() {
    rm -rf all
    says 2 "other-1 is not of the same campaign as shard-1: $1" "$stalemate" merge --out all shard-1 other-1
    [ "$(stat -c %s all/stalemate.db)" = "$(stat -c %s empty/stalemate.db)" ] || fail "something was merged"
}
mkdir nothing
says 2 "no shard in any" "$stalemate" merge --out empty nothing
"$stalemate" hunt --trials 61 --shard 1/3 --out other-1 --quiet -- ./mp >log 2>&1
refused "other options (--seed 1 --trials 61, not --seed 1 --trials 60)"
rm -rf other-1
"$stalemate" hunt --trials 60 --shard 1/4 --out other-1 --quiet -- ./mp >log 2>&1
refused "another number of shards (4, not 3)"
rm -rf other-1
"$stalemate" hunt --trials 60 --shard 1/3 --out other-1 --quiet -- ./mp argument >log 2>&1
refused "another program, or other arguments (./mp argument, not ./mp)"
rm -rf other-1
COLOUR=blue "$stalemate" hunt --trials 60 --shard 1/3 --out other-1 --quiet -- ./mp >log 2>&1
refused "another environment"
rm -rf other-1
echo text | "$stalemate" hunt --trials 60 --shard 1/3 --out other-1 --quiet -- ./mp >log 2>&1
refused "another standard input"
rm -rf other-1
cp mp mp.old
"$stalemate" cc -g -O0 -pthread -o mp "$here/../hunt/programs/message_passing.c"
"$stalemate" hunt --trials 60 --shard 1/3 --out other-1 --quiet -- ./mp >log 2>&1
refused "another build of the program"
rm -rf all
says 2 "another build of ./mp" "$stalemate" merge --out all shard-1 shard-2 shard-3
mv mp.old mp
# And the batch system's own variables are none of the program's.
rm -rf shard-2
SLURM_JOB_ID=7 SLURM_PROCID=2 PARALLEL_SEQ=3 CI_JOB_ID=9 GITHUB_RUN_ID=5 "$stalemate" hunt --trials 60 --shard 2/3 --out shard-2 --quiet \
    -- ./mp >log 2>&1 </dev/null
merged shard-1 shard-2 shard-3
same "a shard on a node of a batch system"

says 2 "no directory given" "$stalemate" merge --out all
says 2 "I/N" "$stalemate" hunt --shard 4/3 -- ./mp
says 2 "I/N" "$stalemate" hunt --shard 0/3 -- ./mp
says 2 "I/N" "$stalemate" hunt --shard 1/3x -- ./mp
