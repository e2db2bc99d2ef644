#!/bin/sh
# verify --model hb on programs that use a kind of synchronisation as it is meant, and, built with
# -DWRONG, in a way that leaves something unordered. Their first lines say what each prints:
#   right: OUTCOMES   all of them, in any order, as under sc
#   wrong: OUTCOMES
# Usage: ordered.sh STALEMATE DIRECTORY
set -u
stalemate=$1 directory=$2
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failed=0

fail()
{
    echo "$source, $way: $*:"
    cat "$out/text"
    failed=$((failed + 1))
}

sorted()
{
    tr -s ' ' '\n' | sort | tr '\n' ' '
}

judge()
{
    wanted=$(sed -n "s|^// $way: ||p" "$source" | sorted)
    "$stalemate" verify --model "$1" --out "$out" --json "$out/json" -- "$out/program" \
        >"$out/text" 2>&1 </dev/null || fail "exit status $?"
    found=$(sed -n 's|.*"output": "\([^"]*\)\\n".*|\1|p' "$out/json" | sorted)
    [ "$found" = "$wanted" ] || fail "$1: outcomes $found, expected $wanted"
    grep -q '"complete": true' "$out/json" || fail "$1: not complete"
}

for source in "$directory"/*.c "$directory"/*.cpp; do
    compiler=cc
    [ "${source%.cpp}" = "$source" ] || compiler=c++
    for way in right wrong; do
        define=
        [ $way = right ] || define=-DWRONG
        "$stalemate" $compiler -O1 -g -pthread $define "$source" -o "$out/program" || exit 1
        judge hb
        [ $way = wrong ] || judge sc
    done
done
[ $failed -eq 0 ]
