#!/bin/sh
# verify --model hb: each rule on a program in which it must show, and on a twin in which it
# must not. bench/jpr has the paper's programs.
# Usage: hb.sh STALEMATE JPR_PROGRAMS TEST_PROGRAMS
set -u
stalemate=$1 jpr=$2 tests=$3
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failed=0

fail()
{
    echo "$*:"
    cat "$out/text"
    failed=$((failed + 1))
}

build()
{
    source=$1
    shift
    compiler=cc
    [ "${source%.cpp}" = "$source" ] || compiler=c++
    "$stalemate" $compiler -O1 -g -pthread "$@" "$source" -o "$out/program" || exit 1
}

# expect STATUS TEXT OPTIONS... [-- ARGS...]: verify exits so, and says so
expect()
{
    status=$1 text=$2
    shift 2
    rm -f "$out"/*.witness # of another program
    "$stalemate" verify --model hb --out "$out" "$@" >"$out/text" 2>&1 </dev/null
    got=$?
    [ $got -eq "$status" ] || fail "$source $*: exit status $got, expected $status"
    grep -q -- "$text" "$out/text" || fail "$source $*: no '$text'"
}

never()
{
    ! grep -q -- "$1" "$out/text" || fail "$source: '$1'"
}

# Every violation replays, the checker finds it legal.
replays()
{
    for witness in "$out"/*.witness; do
        "$stalemate" replay "$witness" >"$out/text" 2>&1 </dev/null
        grep -q 'event for event' "$out/text" || fail "$source: replay of $witness"
        "$stalemate" check "$witness" >"$out/text" 2>&1 || fail "$source: check of $witness"
    done
}

build "$jpr/causality.c"
expect 0 'r1=1 r2=1' -- "$out/program" tc1
expect 0 'r1=0 r2=1' --no-prescient -- "$out/program" tc1
never 'r1=1 r2=1'
never 'not complete'

build "$tests/foresee.c"
expect 1 'violation: assert' -- "$out/program"
replays
expect 0 '0 violations' --no-prescient -- "$out/program"
build "$tests/foresee.c" -DDEPENDS
expect 0 '0 violations' -- "$out/program"
never 'not complete'

build "$tests/future_object.c"
for value in 0 3 5; do
    expect 0 " $value\$" -- "$out/program"
done
build "$tests/future_object.c" -DFAIL
expect 1 'violation: exit' -- "$out/program"
replays

build "$tests/halves.c"
expect 0 ' 0x100000000$' -- "$out/program"
expect 0 ' 0x2$' -- "$out/program"
build "$tests/halves.c" -DPOINTER
expect 0 ' 0x100000002$' -- "$out/program"
never ' 0x2$'

build "$tests/crash.c"
expect 1 'violation: signal' -- "$out/program"
replays
build "$tests/crash.c" -DONCE
expect 0 '0 violations' -- "$out/program"
never 'not complete'

build "$tests/future_crash.c"
expect 1 'violation: signal' -- "$out/program"
replays
build "$tests/future_crash.c" -DDEPENDS
expect 0 '0 violations' -- "$out/program"
never 'not complete'

build "$tests/weak_atomics.c" -DORDER=memory_order_relaxed
expect 1 'violation: assert' -- "$out/program"
replays
for order in acquire seq_cst; do
    build "$tests/weak_atomics.c" "-DORDER=memory_order_$order"
    expect 0 '0 violations' -- "$out/program"
    never 'not complete'
done

# An idle iteration is not taken, but who may repeat it for ever is found.
build "$tests/passed_by.c"
expect 1 'violation: livelock' -- "$out/program"
replays
build "$tests/passed_by.c" -DSTAYS
expect 0 '0 violations' -- "$out/program"
never 'not complete'

build "$tests/plain_wait.c"
expect 1 'violation: livelock' -- "$out/program"
replays
build "$tests/plain_wait.c" -DRAISED=1
expect 0 '0 violations' -- "$out/program"
never 'not complete'

# Values that make no difference to their reader lead to one state.
build "$tests/compared.c"
expect 0 '0 violations' -- "$out/program"
never 'not complete'
for difference in COUNTED HIDDEN; do
    build "$tests/compared.c" "-D$difference"
    expect 1 'violation: assert' -- "$out/program"
    replays
done
build "$jpr/isprime.c" -DLAST=50
for model in hb oota; do
    expect 0 '0 violations' --model $model -- "$out/program"
    never 'not complete'
done

# Structures of bench/jrf. Without races hb has the executions of sc: a loop that waits is one
# turn, whatever it read before.
build "$jpr/../jrf/mcs_lock.c"
expect 1 'violation: signal' -- "$out/program"
replays
build "$jpr/../jrf/mcs_lock.c" -DFIXED
expect 0 'hb: 6 executions, 0 blocked, 0 violations' -- "$out/program"
never 'not complete'
build "$jpr/../jrf/bakery_lock.c" -DFIXED
expect 0 'hb: 5 executions, 0 blocked, 0 violations' -- "$out/program"
never 'not complete'

build "$tests/deadlock.c"
expect 1 'violation: deadlock' -- "$out/program"
replays
build "$tests/hang.c"
expect 1 'violation: livelock' -- "$out/program"
replays
build "$tests/choose.c"
expect 1 '1 violations' -- "$out/program"
replays
build "$tests/long.c"
expect 3 'not complete' --bound 50 -- "$out/program"
build "$tests/sum.c"
expect 0 '"iterations"' --json - -- "$out/program"
build "$tests/../outcomes/node.c" -DRELAXED
expect 0 '3 executions, 0 blocked, 0 violations, [0-9.]* s$' -- "$out/program"

# Outcomes that are not expected, one of them read from the future.
build "$tests/../outcomes/future.c"
printf 'forbid 11\\n\n' >"$out/expected"
expect 1 'output: forbidden outcome: 11' --expect "$out/expected" -- "$out/program"
replays
expect 0 '0 violations' --no-prescient --expect "$out/expected" -- "$out/program"

# Every outcome there is has a witness: reads that are put together from two writes, a library that
# stores where nobody sees it, an object of the future.
echo 'allow nothing' >"$out/expected"
build "$tests/halves.c"
expect 1 'read shared = 2 from #[0-9]* and the start' --expect "$out/expected" -- "$out/program"
replays
build "$tests/../outcomes/publish_class.cpp"
expect 1 '5 violations' --expect "$out/expected" -- "$out/program"
replays
build "$tests/../outcomes/object.c" -DWRONG
expect 1 '3 violations' --expect "$out/expected" -- "$out/program"
replays
# What is read from before a free is no execution, and no internal error; without the free it fails.
build "$tests/hb_lifetime.c" -DFREES
expect 0 'not complete: memory that several threads access is freed' -- "$out/program"
never 'internal error'
expect 0 'not complete: memory that several threads access is freed' --model oota -- "$out/program"
build "$tests/hb_lifetime.c"
expect 1 '1 violations' -- "$out/program"
replays
# More writes than there is room for: what was left out is no hang.
build "$tests/../others/heap_init.c"
expect 0 'not complete' -- "$out/program"

[ $failed -eq 0 ]
