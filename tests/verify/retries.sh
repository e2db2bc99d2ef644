#!/bin/sh
# retries.sh BUILD FIRST LAST: the long form of verify.retries, 200 programs for each seed from FIRST
# to LAST (retries.c).
set -eu
build=$(cd "$1" && pwd)
retries=$build/tests/verify/verify-retries
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cd "$out"
for seed in $(seq "$2" "$3"); do
    "$retries" write 200 "$seed" >programs.c
    "$build/bin/stalemate-cc" -O1 -w -pthread programs.c -o free
    "$build/bin/stalemate-cc" -O1 -w -pthread -DBOUNDED programs.c -o bounded
    printf 'seed %s: ' "$seed"
    "$retries" compare ./free ./bounded 200 >result || { cat result; exit 1; }
    tail -n 1 result
done
