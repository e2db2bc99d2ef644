#!/bin/sh
# Locks and lock-free structures, under c11: each is verified; with -DWEAK, which makes one memory
# order weaker, it is refuted by a witness that replays and passes check.
# Usage: structures.sh STALEMATE DIRECTORY
set -u
stalemate=$1 directory=$2
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failed=0

fail()
{
    echo "$name: $*:"
    cat "$out/text"
    failed=$((failed + 1))
}

# run FLAGS...
run()
{
    "$stalemate" cc -O1 -g -pthread "$@" "$source" -o "$out/program" || exit 1
    "$stalemate" verify --out "$out" --model c11 -- "$out/program" >"$out/text" 2>&1 </dev/null
}

for source in "$directory"/*.c; do
    name=$(basename "$source" .c)
    run || fail "not verified"
    grep -q 'not complete' "$out/text" && fail "not complete"
    printf '%-14s %s' "$name" "$(grep -o '[0-9]* executions, [0-9]* blocked' "$out/text")"
    run -DWEAK
    [ $? -eq 1 ] || fail "weakened, and not refuted"
    printf '; weakened: %s\n' "$(grep -o '[0-9]* executions.*violations' "$out/text")"
    "$stalemate" replay "$out/verify-c11-1.witness" >"$out/text" 2>&1 </dev/null
    grep -q 'event for event' "$out/text" || fail "replay"
    "$stalemate" check "$out/verify-c11-1.witness" >"$out/text" 2>&1 || fail "check"
    rm -f "$out"/*.witness
done
[ $failed -eq 0 ]
