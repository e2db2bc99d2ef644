#!/bin/sh
# run.sh BUILD-DIR: what looking for violations of atomicity costs: one execution of each program
# against the same program built by clang alone, and how time and tuples grow with the events.
# None of the programs has a violation. Times of one execution are the difference between six
# executions and one, so that starting the program does not count; memory is the largest of any
# process at its peak.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
stalemate=$build/bin/stalemate
out=$build/bench/atomicity
mkdir -p "$out"
cd "$out"

# seconds COMMAND...: the best of three.
seconds() {
    for _ in 1 2 3; do
        start=$(date +%s%N)
        "$@" >output 2>&1
        echo $(($(date +%s%N) - start))
    done | sort -n | head -n 1 | awk '{ printf "%.4f", $1 / 1e9 }'
}

# look TRIALS PROGRAM SIZE
look() {
    /usr/bin/time -f %M -o memory "$stalemate" atomicity --quiet --jobs 1 --trials "$1" \
        --out found --json result.json -- "./$2" "$3"
}

key() {
    sed -n "s/^  \"$1\": *\([0-9.]*\).*/\1/p" result.json | head -n 1
}

printf '%-10s %8s %10s %10s %10s %9s %9s %8s %10s\n' program size events native "with us" \
    slowdown "ns/event" tuples memory
for case in "accounts 1000" "accounts 4000" "queue 1000" "queue 4000" "table 1000" \
    "table 4000" "grid 2" "grid 8"; do
    set -- $case
    [ -x "$1.native" ] || clang-19 -O1 -g -pthread "$here/$1.c" -o "$1.native"
    "$stalemate" cc -O1 -g -pthread "$here/$1.c" -o "$1"
    native=$(seconds "./$1.native" "$2")
    one=$(seconds look 1 "$1" "$2")
    six=$(seconds look 6 "$1" "$2")
    echo "$1 $2 $(key events) $native $one $six $(key tuples) $(cat memory)"
done | awk '{
    each = ($6 - $5) / 5
    if (each <= 0) each = 0.0001
    slowdown = each / $4
    printf "%-10s %8d %10d %8.3f s %8.3f s %8.1f x %9.0f %8d %7.1f MB\n", $1, $2, $3, $4, each,
        slowdown, each * 1e9 / $3, $7, $8 / 1024
    product += log(slowdown); n++ }
    END { printf "geometric mean of the slowdowns: %.1f x\n", exp(product / n) }'
