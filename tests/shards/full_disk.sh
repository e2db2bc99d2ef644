#!/bin/sh
# full_disk.sh BIN-DIR SCRATCH JSON-WITHOUT FULL-DISK: a disk that is full under a shard or under
# merge. What was stored stays, nothing is counted twice, and the same command goes on.
. "$(dirname "$0")/common.sh"
full_disk=$4
"$stalemate" cc -g -O1 -pthread -o mp "$here/../hunt/programs/message_passing.c"
program=./mp
alone hunt --trials 300 --no-prescient
shard 1 2 hunt --trials 300 --no-prescient

# A shard: status 2, and its store has the batches before.
says 2 "is the disk full" env LD_PRELOAD="$full_disk" STORE_ROOM=60000 "$stalemate" hunt --trials 300 \
    --no-prescient --shard 2/2 --out shard-2 -- ./mp
rm -rf all
says 1 "not complete: 2" "$stalemate" merge --out all --json all.json shard-1 shard-2
grep -q '"complete": *false' all.json || fail "complete with a shard whose disk was full"
trials=$(grep -o '"trials": *[0-9]*' all.json | head -1 | grep -o '[0-9]*$')
[ "$trials" -gt 150 ] && [ "$trials" -lt 300 ] || fail "$trials trials of a shard and a part"
# With room again it goes on.
shard 2 2 hunt --trials 300 --no-prescient

# merge: all or nothing, and the shards are as they were.
cat shard-1/stalemate.db shard-2/stalemate.db | cksum >before
rm -rf all
says 2 "is the disk full" env LD_PRELOAD="$full_disk" STORE_ROOM=60000 "$stalemate" merge --out all shard-1 shard-2
says 2 "no shard in any" "$stalemate" merge --out none all
cat shard-1/stalemate.db shard-2/stalemate.db | cksum >after
cmp before after || fail "merge has changed a shard"
"$stalemate" merge --out all --json all.json --quiet shard-1 shard-2 >log 2>&1 || [ $? = 1 ] || fail "with room"
same "after a full disk"
