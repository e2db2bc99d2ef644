#!/bin/sh
# Programs with a known number of executions (GenMC's), and what verify says about programs
# that are wrong or not for it.
# Usage: programs.sh STALEMATE BENCH_PROGRAMS TEST_PROGRAMS
set -u
stalemate=$1 bench=$2 tests=$3
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failed=0

fail()
{
    echo "$*:"
    cat "$out/text"
    failed=$((failed + 1))
}

# build SOURCE FLAGS...
build()
{
    source=$1
    shift
    "$stalemate" cc -O1 -g -pthread "$@" "$source" -o "$out/program" || exit 1
}

# expect STATUS TEXT OPTIONS...: verify exits so, and says so
expect()
{
    status=$1 text=$2
    shift 2
    rm -f "$out"/*.witness # of another program
    "$stalemate" verify --out "$out" "$@" -- "$out/program" >"$out/text" 2>&1 </dev/null
    got=$?
    [ $got -eq "$status" ] || fail "$source $*: exit status $got, expected $status"
    grep -q -- "$text" "$out/text" || fail "$source $*: no '$text'"
}

# count NAME N SC C11
count()
{
    build "$bench/$1.c" "-DN=$2"
    expect 0 "sc: $3 executions" --model sc --no-symmetry
    expect 0 "c11: $4 executions" --model c11 --no-symmetry
}

count casrot 7 523 523
count lastzero 6 144 144
count readers 8 256 256
count indexer 12 8 8
count lockinc 5 120 120
count ainc 5 120 120
count ticket 4 24 24

# A graph in which a thread waits for what was given back is not made.
for program in lockinc semaphore; do
    build "$bench/$program.c" -DN=5
    expect 0 "c11: 120 executions, 0 blocked" --model c11 --no-symmetry
done

# By several processes, which are all under way after a tenth of a second.
build "$bench/lockinc.c" -DN=7
expect 0 "c11: 5040 executions" --model c11 --jobs 3 --no-symmetry
build "$tests/late.c"
expect 0 "sc: 41040 executions, 0 blocked" --jobs 4
grep -q 'in all' "$out/text" && fail "an estimate in a pipe"
# On a terminal all is as it was.
script -qc "$stalemate verify --out $out --jobs 1 -- $out/program" /dev/null >"$out/text" 2>&1 </dev/null
grep -q 'sc: 41040 executions, 0 blocked' "$out/text" || fail "$source: on a terminal"
# And there is an estimate, of a search that no machine ends: it is ended once it has said so. (SIGINT
# is ignored by what a shell starts in the background.)
build "$tests/late.c" -DTHREADS=16
rm -f "$out/text" # it has an estimate, of the run before
script -fqc "echo \$\$ >$out/pid; exec $stalemate verify --out $out --jobs 1 -- $out/program" /dev/null \
    >"$out/text" 2>&1 </dev/null &
until grep -qs 'about [0-9.e+]* in all' "$out/text"; do
    kill -0 $! 2>/dev/null || { fail "$source: no estimate"; break; }
    sleep 0.1
done
kill -s TERM "$(cat "$out/pid")"
wait
build "$tests/late.c" -DWRONG
expect 1 "1 violations.*not complete" --jobs 4 --first
grep -q 'not complete: --first ended the search' "$out/text" || fail "$source: --first"
# A throw in a process that continues the graphs of another one: the unwinder is as it was there.
build "$tests/thrown.cpp" -std=c++20 -lstdc++
expect 0 "sc: 402 executions" --count --jobs 3 --bound 300

# replay: the first violation replays, and the checker finds it legal
replays()
{
    "$stalemate" replay "$out/verify-$1-1.witness" >"$out/text" 2>&1 </dev/null
    grep -q 'event for event' "$out/text" || fail "$source: replay under $1"
    "$stalemate" check "$out/verify-$1-1.witness" >"$out/text" 2>&1 || fail "$source: check"
}

# Symmetric threads, and threads that are told apart
apart()
{
    build "$tests/apart.c" "-D$1"
    expect 0 "sc: $2 executions," --no-symmetry
    expect 0 "sc: $2 executions," --count
    expect 0 "sc: $3" --symmetry
    expect 0 "sc: $3"
    [ "$(grep -c '^ *[0-9]* .*0' "$out/text")" -ge "$4" ] || fail "$1: other outcomes"
}
apart ALIKE 6 "1 executions, which stands for 6 (symmetric threads)," 1
apart SELF 6 "6 executions," 3
apart STACK 6 "6 executions," 1
apart BETWEEN 15 "15 executions," 5
apart ARGUMENT 6 "6 executions," 1
apart RESULT 6 "6 executions," 6
apart OWN 6 "6 executions," 3
apart PRINTS 6 "6 executions," 1
apart EXITS 6 "6 executions," 0
apart SOME 36 "18 executions, which stand for 36" 5
expect 2 "for the models" --symmetry --model hb
expect 2 "exclude each other" --symmetry --no-symmetry

# --preemptions: a bug that needs two; with a spin loop, one; with none, everything is explored.
build "$tests/preempted.c"
expect 0 "explored: every execution with at most 1 preemption$" --preemptions 1
expect 1 "explored: every execution with at most 2 preemptions$" --preemptions 2
replays sc
expect 1 "sc: 10 executions" --preemptions 9
grep -q 'explored:\|not complete' "$out/text" && fail "$source: a bound that is none"
expect 2 "for the model sc" --preemptions 1 --model c11
expect 2 "leave out" --preemptions 1 --symmetry
build "$tests/preempted.c" -DWAITS
expect 0 "explored: every execution without a preemption" --preemptions 0
expect 1 "explored: every execution with at most 1 preemption$" --preemptions 1
replays sc
build "$tests/preempted.c" -DRIGHT
expect 0 "sc: 10 executions, 0 blocked, 0 violations, [0-9.]* s$" --preemptions 9
# In between the parts of an access, and the end of the program in a spin loop, or by pthread_exit.
build "$tests/../outcomes/copy.c"
expect 0 "sc: 4 executions" --preemptions 9
build "$tests/../structures/michael_scott.c"
expect 0 "sc: 34 executions, [0-9]* blocked, 0 violations, [0-9.]* s$" --preemptions 99
build "$tests/../outcomes/last_exit.c"
expect 0 "sc: 2 executions" --preemptions 9
build "$tests/preempted.c" -DLONG=20
expect 0 "explored: every execution with at most 1 preemption$" --preemptions 1 --first
expect 1 "at most 1 preemption$" --preemptions 9 --first

# A loop that counts: as many executions as it has events; the report names it.
build "$tests/counting.c"
expect 0 "sc: 19 executions" --bound 20
grep -q 'events when it comes here' "$out/text" && fail "$source: few events"
expect 0 "counting.c:10: a thread has 1000 events" --bound 1000
build "$tests/counting.c" -DWAITS
expect 0 "sc: 1 executions, 0 blocked, 0 violations, [0-9.]* s$"

for model in sc tso pso c11; do
    build "$tests/deadlock.c"
    expect 1 "violation: deadlock" --model $model
    replays $model
    build "$tests/hang.c"
    expect 1 "violation: livelock" --model $model
    replays $model
    build "$tests/choose.c"
    expect 1 "5 executions, 3 blocked, 1 violations" --model $model
    replays $model
    build "$tests/sum.c"
    expect 0 "$model: 10 executions, 0 blocked" --model $model
done
build "$tests/sum.c"
expect 0 "race-free, hence sequentially consistent" --model sc
build "$tests/choose.c"
expect 1 "race on y: reader() .* writes while writer() .* writes" --model sc
build "$tests/long.c"
expect 3 "not complete: a thread had more events than --bound" --bound 50
expect 3 '"bound"' --bound 50 --json -
expect 2 "unknown option" --no-such-option
build "$tests/sum.c"
expect 0 '"executions": 10' --json -
expect 0 '"complete": true' --json -
expect 0 '"cut": \[\]' --json -
"$stalemate" verify >"$out/text" 2>&1
[ $? -eq 2 ] || fail "verify without a program"

# A program of several files
echo 'int x; void *set(void *unused) { x = 1; return unused; }' >"$out/set.c"
build "$tests/two_files.c" "$out/set.c"
expect 0 "sc: 2 executions"
expect 0 "race on x: .*two_files.c.*set.c" --model sc

# What a thread leaves behind is seen by whoever joins it, whether we see it stored or not.
echo 'void keep(long *to, long value) { *to = value; }' >"$out/keep.c"
cc -c "$out/keep.c" -o "$out/keep.o" || exit 1
for flags in '' "-DKEEP $out/keep.o" -DPRINT; do
    # shellcheck disable=SC2086 # flags are words
    build "$tests/left.c" $flags
    expect 0 "c11: 4 executions" --model c11
    for outcome in '10 10, 0 0' '10 11, 0 1' '11 10, 1 0' '11 11, 1 1'; do
        grep -q "$outcome\$" "$out/text" || fail "left.c $flags: no outcome '$outcome'"
    done
    expect 0 "sc: 3 executions" --model sc
done

# --expect: an outcome that is forbidden, or not among those allowed, is a violation
build "$tests/outcomes.c"
printf '# SB\nallow a=0 b=1\nallow a=1 b=0\nallow a=1 b=1\n' >"$out/allowed"
printf 'forbid a=0 b=0\n' >"$out/forbidden"
echo nonsense >"$out/nonsense"
for list in allowed forbidden; do
    expect 0 "allowed    a=1 b=1" --model sc --expect "$out/$list"
    for model in tso pso c11; do
        expect 1 "violation: output: forbidden outcome: a=0 b=0" --model $model --expect "$out/$list"
        grep -q 'atomic-read x = 0 from the start' "$out/text" || fail "$model: no events"
        grep -q 'read one = ' "$out/text" && fail "$model: shows what one thread alone accesses"
        replays $model
    done
done
expect 1 '"allowed": false' --model c11 --expect "$out/forbidden" --json -
expect 2 "nonsense:1: write 'allow OUTCOME'" --expect "$out/nonsense"
expect 2 "cannot read" --expect "$out/nothing"
expect 1 "violation: output: forbidden outcome: a=0 b=0" --model hb --expect "$out/allowed"
[ $failed -eq 0 ]
