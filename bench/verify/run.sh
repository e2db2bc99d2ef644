#!/bin/sh
# verify on the programs of the literature: executions, user seconds, executions a second, peak
# memory; beside them GenMC 0.11's executions and rate, measured on a machine of the same kind.
# Usage: run.sh BUILD-DIR
set -eu
cd "$(dirname "$0")"
build=$(cd "$1" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
printf '%-10s %-5s %10s %8s %10s %8s | %10s %8s %6s\n' program model executions user/s rate \
    'MB' GenMC rate ratio
while read -r program model theirs rate; do
    "$build/bin/stalemate-cc" -O1 -g -pthread "programs/$program.c" -o "$out/$program"
    /usr/bin/time -f '%U %M' -o "$out/time" "$build/bin/stalemate" verify --quiet --model "$model" \
        --out "$out" --json "$out/json" -- "$out/$program" </dev/null
    executions=$(sed -n 's/^ *"executions": \([0-9]*\).*/\1/p' "$out/json")
    awk -v p="$program" -v m="$model" -v e="$executions" -v t="$theirs" -v r="$rate" '{
        mine = e / ($1 > 0 ? $1 : 0.01)
        printf "%-10s %-5s %10d %8.2f %10d %8d | %10d %8d %6.1f%s\n", p, m, e, $1, mine,
               $2 / 1024, t, r, mine / r, e == t ? "" : "  NOT THE SAME"
    }' "$out/time"
done <<'TABLE'
fib_bench c11 525630 156000
fib_bench sc 218243 145000
casrot c11 182905 121000
lastzero c11 147456 17000
readers c11 65536 24000
indexer c11 4096 2200
lockinc c11 40320 16000
ainc c11 40320 29000
ticket c11 5040 5500
TABLE
