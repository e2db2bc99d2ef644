#!/bin/sh
# run.sh BUILD [SHARDS...]: stores of synthetic shards; what merge costs in time and memory, and that
# its result does not depend on the order, on lost nodes that come back, or on shards that were killed.
# EXECUTIONS (20) is how many each shard has.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
shift
[ $# -gt 0 ] || set -- 10 100 1000 10000
executions=${EXECUTIONS:-20}
stalemate=$build/bin/stalemate
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
"$stalemate" cc -g -O1 -pthread -o racy "$here/racy.c"

# merged OUT DIRS: its seconds and its peak memory in MB, in the file cost; those of processor in cpu.
merged() {
    out=$1
    shift
    /usr/bin/time -f '%e %M %U %S' -o cost "$stalemate" merge --quiet --out "$out" --json "$out.json" "$@" 2>log ||
        [ $? = 1 ] || { cat log; exit 1; }
    tail -1 cost | awk '{printf "%.1f\n", $3 + $4}' >cpu
    tail -1 cost | awk '{printf "%s %d\n", $1, $2 / 1024}' >cost.tmp
    mv cost.tmp cost
}

# shuffled N: the stores in random order number N.
shuffled() {
    ls -d whole/* | awk -v seed="$1" 'BEGIN { srand(seed) } { print rand(), $0 }' | sort -n | cut -d' ' -f2
}

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

echo "| shards | executions | stores, MB | merged, MB | merge, s | of processor, s | peak memory, MB | three orders | a tenth lost | back again |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
for n in "$@"; do
    rm -rf whole all* part
    mkdir whole part
    trials=$((n * executions / 2))
    total=$("$build/bench/scale/scale-stores" whole "$n" "$trials" 0 ./racy | grep -o '[0-9]* executions')
    # shellcheck disable=SC2046
    merged all $(ls -d whole/*)
    cost=$(cat cost) cpu=$(cat cpu)
    cp all.json first.json
    for order in 1 2 3; do
        rm -rf all
        # shellcheck disable=SC2046
        merged all $(shuffled $order)
        cmp first.json all.json || fail "another order, another result"
    done
    rm -rf all
    # shellcheck disable=SC2046
    merged all $(ls -d whole/* | awk 'NR % 10 != 7')
    grep -q '"complete": *false' all.json || fail "complete without a tenth of the shards"
    lost=$(cat cost)
    # shellcheck disable=SC2046
    merged all $(ls -d whole/* | awk 'NR % 10 == 7')
    cmp first.json all.json || fail "lost shards that came back"
    back=$(cat cost)
    echo "| $n | ${total% executions} | $(du -sm whole | cut -f1) | $(du -sm all | cut -f1) | ${cost% *} | $cpu | ${cost#* } | equal bytes | ${lost% *} s | ${back% *} s |"
done

# Shards that were killed in the middle: said, and whole when the rest has come.
n=100
rm -rf whole part all*
mkdir whole part
"$build/bench/scale/scale-stores" whole $n 1000 0 ./racy >/dev/null
"$build/bench/scale/scale-stores" part $n 1000 10 ./racy >/dev/null
merged all whole/*
cp all.json first.json
rm -rf all
merged all whole/*[1-9] part/*0
grep -q '"complete": *false' all.json || fail "complete with ten shards that were killed"
merged all whole/*0
cmp first.json all.json || fail "shards that were killed and made again"
echo
echo "100 shards, ten of them killed in the middle: not complete, and equal bytes when they were made again"
echo
"$build/bench/scale/scale-simulate"
