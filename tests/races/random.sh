#!/bin/sh
# random.sh BUILD [FIRST LAST] - random programs (generate.c) with these seeds: built with
# optimisation the native flavour finds races on the same variables as the controlled one, which
# leaves nothing out, does without.
set -eu
build=$1 first=${2:-1} last=${3:-20}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 racy=0

seed=$first
while [ "$seed" -le "$last" ]; do
    "$build/tests/races/races-generate" "$seed" >"$work/program.c"
    "$build/bin/stalemate" cc --detect -O2 -w -I"$here" "$work/program.c" -o "$work/native" -pthread
    "$build/bin/stalemate" cc -O0 -w -I"$here" "$work/program.c" -o "$work/controlled" -pthread
    "$work/native" 2>"$work/said" || [ $? -lt 128 ]
    sed -n 's/^stalemate: data race on //p' "$work/said" | sed 's/\[[0-9]*\]/[]/g' | sort -u \
        >"$work/found"
    "$build/bin/stalemate" detect -- "$work/controlled" >"$work/said" 2>&1 || [ $? -eq 1 ]
    sed -n 's/^race [0-9]*: data race on \(.*\), seen .*/\1/p' "$work/said" |
        sed 's/\[[0-9]*\]/[]/g' | sort -u >"$work/expected"
    if ! diff "$work/expected" "$work/found" >&2; then
        echo "FAIL seed $seed: again: $0 $build $seed $seed" >&2
        failed=$((failed + 1))
    fi
    [ ! -s "$work/expected" ] || racy=$((racy + 1))
    seed=$((seed + 1))
done
echo "random: $racy of $((last - first + 1)) programs race, $failed failed"
[ "$failed" -eq 0 ] && [ "$racy" -gt 0 ]
