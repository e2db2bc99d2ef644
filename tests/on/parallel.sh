#!/bin/sh
# parallel.sh BIN-DIR SCRATCH JSON-WITHOUT: --on parallel finds what one machine finds; --on script
# says what would be run, and that gives the same.
. "$(dirname "$0")/../shards/common.sh"
command -v parallel >/dev/null || { echo "skipped: there is no GNU parallel"; exit 77; }
examples=$here/../../examples
programs=$here/../../bench/verify/programs
export PARALLEL_HOME="$PWD/parallel"
mkdir -p "$PARALLEL_HOME"

# on WHERE COMMAND ARGS...: into all/ and all.json.
on() {
    rm -rf all
    "$stalemate" "$2" --on "$1" --tasks 4 --jobs 2 --out all --json all.json --quiet \
        $(shift 2; echo "$@") -- $program >log 2>&1 </dev/null || [ $? = 1 ] || { cat log; fail "--on $*"; }
    mkdir -p all/witnesses
}

"$stalemate" cc -g -O1 -pthread -o mp "$examples/message_passing.c"
"$stalemate" cc -g -O1 -pthread -o fib -DROUNDS=4 "$programs/fib_bench.c"
program=./mp
alone hunt --trials 40
on parallel hunt --trials 40
same "hunt --on parallel"
alone detect --trials 12
on parallel detect --trials 12
same "detect --on parallel"

# verify: workers with a directory of parcels.
program=./fib
alone verify --model c11
on parallel verify --model c11
same "verify --on parallel"

# What would be run, run by a shell, is the same; nothing is made by saying it.
program=./mp
alone hunt --trials 40
rm -rf all
"$stalemate" hunt --on script --tasks 3 --trials 40 --out all -- $program >script </dev/null
[ ! -e all/on/task.sh ] || fail "--on script makes tasks"
grep -c -e '--shard ./3' script | grep -q '^3$' || { cat script; fail "not three tasks"; }
sed "s|^stalemate|$stalemate|; s|stalemate merge|& --json all.json|" script >script.sh
sh script.sh >log 2>&1 </dev/null || [ $? = 1 ] || { cat log; fail "the script"; }
mkdir -p all/witnesses
same "hunt --on script"

# On a terminal one line says how far it is; in a pipe nothing does.
script -qc "'$stalemate' hunt --on parallel --tasks 4 --jobs 2 --out seen --trials 40 -- $program" seen.text \
    >/dev/null 2>&1 </dev/null
grep -q 'hunt on parallel: [0-4] of 4 tasks are over' seen.text || { cat seen.text; fail "no line of progress"; }
! grep -q 'tasks are over' log || fail "progress in a pipe"

# A task that fails for good does not stop the others; the result says that it is not complete, and
# the same command tries again.
on parallel hunt --trials 40
rm -rf all/on/status/2 all/on/shard-2 all/stalemate.db all/witnesses
mkdir all/on/shard-2
: >all/on/shard-2/stalemate.db
mkdir all/on/shard-2/stalemate.db-journal # SQLite cannot make its journal
says 1 'tasks did not end: 2' "$stalemate" hunt --on parallel --tasks 4 --jobs 2 --out all \
    --json all.json --trials 40 -- $program
grep -q '"complete": *false' all.json || fail "complete without a task"
rm -rf all/on/shard-2 all/stalemate.db all/witnesses
says 1 '' "$stalemate" hunt --on parallel --tasks 4 --jobs 2 --out all --json all.json --trials 40 \
    -- $program
mkdir -p all/witnesses
same "the same command again"

says 2 'the tasks of another command' "$stalemate" hunt --on parallel --tasks 4 --trials 41 --out all \
    -- $program
