#!/bin/sh
# JRF's examples and data structures after Herlihy and Shavit, racy and repaired: `make
# reproduce-jrf`. Every SC execution is explored; fails if a race is missed, or one is reported
# where there is none, or the report does not say that the repaired program is sequentially
# consistent.
# Usage: run.sh BUILD
set -u
build=$(cd "${1:?usage: run.sh BUILD}" && pwd) || exit 2
here=$(cd "$(dirname "$0")" && pwd)
stalemate=$build/bin/stalemate
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
wrong=0

# look NAME FLAGS: explores; sets races, execs, seconds
look()
{
    "$stalemate" cc -g -O1 -pthread $2 "$here/$1.c" -o "$out/program" || exit 1
    "$stalemate" verify --model sc --out "$out" -- "$out/program" >"$out/text" 2>&1 </dev/null
    races=$(grep -c '^race on' "$out/text")
    execs=$(sed -n 's/.*sc: \([0-9]*\) executions.*/\1/p' "$out/text")
    seconds=$(sed -n 's/.* \([0-9.]*\) s$/\1/p' "$out/text" | tail -1)
}

echo 'program             racy: races  execs   time | repaired: races  execs   time'
for source in "$here"/*.c; do
    name=$(basename "$source" .c) verdict=
    look "$name" ''
    [ "$races" -gt 0 ] || verdict=' RACE MISSED'
    printf '%-18s %12s %6s %6s |' "$name" "$races" "$execs" "$seconds"
    look "$name" -DFIXED
    grep -q 'race-free, hence sequentially consistent' "$out/text" || verdict="$verdict NOT RACE-FREE"
    printf ' %15s %6s %6s%s\n' "$races" "$execs" "$seconds" "$verdict"
    [ -z "$verdict" ] || { cat "$out/text"; wrong=$((wrong + 1)); }
done
echo "$wrong wrong"
[ $wrong -eq 0 ]
