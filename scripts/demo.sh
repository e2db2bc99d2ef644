#!/bin/sh
# demo.sh BUILD-DIR: builds the examples with stalemate-cc and runs each over some seeds and
# models. Prints a table of what happened, and the command that shows each failure again.
set -eu
cd "$(dirname "$0")/.."
build=$1
stalemate=$build/bin/stalemate
seeds=40
out=$build/examples
mkdir -p "$out"

# kind_of JSON: the kind of failure of a run, or nothing.
kind_of() {
    sed -n 's/.*"kind": *"\([a-z]*\)".*/\1/p' "$1" | head -n 1
}

# try PROGRAM MODEL: one row of the table.
try() {
    failed=0 first="" kind=""
    seed=1
    while [ $seed -le $seeds ]; do
        status=0
        "$stalemate" run --quiet --model "$2" --seed $seed --json "$out/demo.json" -- "$out/$1" \
            >"$out/demo.log" 2>&1 || status=$?
        if [ $status -gt 1 ]; then
            cat "$out/demo.log" >&2
            echo "demo: stalemate run ended with status $status on $1; please report this" >&2
            exit 1
        fi
        if [ $status = 1 ]; then
            failed=$((failed + 1))
            [ -n "$first" ] || { first=$seed kind=$(kind_of "$out/demo.json"); }
        fi
        seed=$((seed + 1))
    done
    if [ -n "$first" ]; then
        show="$stalemate run --model $2 --seed $first -- $out/$1"
    else
        show="-"
    fi
    printf '%-16s %-6s %4d of %d %-9s  %s\n' "$1" "$2" $failed $seeds "${kind:--}" "$show"
}

printf '%-16s %-6s %10s %-9s  %s\n' example model failed how "see it with"
for source in examples/*.c; do
    name=$(basename "$source" .c)
    "$build/bin/stalemate-cc" -g -O1 -pthread "$source" -o "$out/$name"
    for model in sc tso; do
        try "$name" $model
    done
done
