#!/bin/sh
# What the command says and how it exits, whatever it finds.
. "$(dirname "$0")/../common.sh"
build sources/greeting.c
build sources/deadlock.c
build sources/long_count.c
build programs/message_passing.c
build programs/racy_init_loop.c
hunt="$stalemate hunt --no-exact --trials 40"

# wrong commands
says 2 "no program given" $hunt
says 2 "did you mean --trials?" $stalemate hunt --trails 4 -- ./greeting hello
says 2 "no race on a variable of that name" $hunt --variable sharde -- ./greeting hello
says 2 "not built with Stalemate" $hunt -- /bin/true

# a program that always fails: a finding with a witness, and no verdict about its races
says 1 "failure: assert under sc, at" $hunt -- ./greeting fail
also "Every execution fails so: races cannot be judged before it passes."
also "the program fails the assertion "
replay=$(sed -n 's/^  replay with: stalemate //p' output)
says 1 "FAILED: assert:" $stalemate $replay
says 1 "exit status 7, expected 0" $hunt --expect-exit 0 -- ./greeting seven
also "1 undecided"
says 1 "failure: oracle under sc" $hunt --oracle 'grep -q bye' -- ./greeting hello

# nothing found; an exit status that is always the same is right, and told with the last lines of
# standard error
says 0 "1 racy variable: 1 benign" $hunt --json seven.json -- ./greeting seven
also "the program ends with status 7 by itself"
also "it says: seven it is"
grep -q '"errors": "seven it is' seven.json || fail "the errors of the baseline are not in the JSON"
says 0 "1 benign" $hunt --oracle 'grep -q hello' -- ./greeting hello

# found, and told
says 1 "destructive: race on data: produce() " $hunt -- ./message_passing
also "  breaks the program under pso: stores reordered (ARM, or the compiler; not x86)"
also "data still showed its initial 0, though thread 1 (produce) had stored 42; nothing orders the two"
also "thread 2 · consume reads data = 0"
also "then thread 2 (consume) fails the assertion \`data == 42' at "
also "replay with: stalemate replay .stalemate/witnesses/data-1.smw"
says 1 "thread 1 (produce) had stored 42; nothing orders the two" $stalemate replay .stalemate/witnesses/data-1.smw
says 0 "legal" $stalemate check .stalemate/witnesses/data-1.smw

# a failure that is no race's
says 1 "failure: deadlock under sc, at" $hunt -- ./deadlock
also "no data race is involved"
also "thread 1 holds 'first' ("
also "and wants 'second' ("
also "; thread 2 holds 'second' (:"
also "and wants 'first' (:"
also "). Lock both in one order."
also "0 racy variables"

# running again goes on from there, and comes to the same
says 1 " remembered)" $hunt --json again.json -- ./message_passing
[ ! -e .stalemate/witnesses/data-2.smw ] || fail "the same witness was written twice"
grep -q '"verdict": "destructive"' again.json || fail "no verdict in the JSON"

# --quiet, --json on standard output
$hunt --quiet --json - -- ./message_passing >output 2>errors </dev/null && fail "status 0"
[ ! -s errors ] || fail "--quiet is not quiet"
for key in tool version command target seconds baseline races id variable accesses verdict model \
    failure trials failures by_heuristic stale_reads future_reads unvalidated circular witness summary destructive benign qos \
    undecided exit events outcomes; do
    also "\"$key\":"
done

# one variable, one heuristic, one model
says 0 "1 racy variable: 1 benign" $hunt --no-prescient --variable ready -- ./message_passing
says 1 "breaks the program under pso" $hunt --model pso -- ./message_passing
says 0 "2 racy variables" $hunt --model tso -- ./message_passing
says 0 "1 benign" $hunt --heuristic sc -- ./racy_init_loop

# what is long is no hang: the budget of steps is learnt
says 0 "1 racy variable: 1 benign" $stalemate hunt --no-prescient --trials 8 --schedule rr -- \
    ./long_count

# nowhere to write
touch file
says 2 "cannot make the directory file: Not a directory" $hunt --out file -- ./greeting hello
if [ "$(id -u)" -ne 0 ]; then
    mkdir -m 500 locked
    says 2 "--out DIR" $hunt --out locked/in -- ./greeting hello
fi
says 2 "--out DIR" $hunt --out /proc/none -- ./greeting hello
