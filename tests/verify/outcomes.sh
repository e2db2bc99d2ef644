#!/bin/sh
# verify --model hb on racy programs, whose first lines say everything that each may print:
#   hb: OUTCOMES      all of them, in any order
#   past: OUTCOMES    with --no-prescient
#   right: OUTCOMES   under hb, and under sc too: what is shared is ordered
#   wrong: OUTCOMES   under hb, built with -DWRONG: something is not
#   options: ...      for verify
# Usage: outcomes.sh STALEMATE DIRECTORY
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

says()
{
    sed -n "s|^// $1: ||p" "$source"
}

build()
{
    compiler=cc
    [ "${source%.cpp}" = "$source" ] || compiler=c++
    "$stalemate" $compiler -O1 -g -pthread "$@" "$source" -o "$out/program" || exit 1
}

# judge WAY OPTIONS...
judge()
{
    way=$1
    shift
    wanted=$(says "$way" | sorted)
    [ -n "$wanted" ] || return
    # shellcheck disable=SC2046 # the program's options are words
    "$stalemate" verify "$@" $(says options) --out "$out" --json "$out/json" -- "$out/program" \
        >"$out/text" 2>&1 </dev/null || fail "exit status $?"
    found=$(sed -n 's|.*"output": "\([^"]*\)\\n".*|\1|p' "$out/json" | sorted)
    [ "$found" = "$wanted" ] || fail "$*: outcomes $found, expected $wanted"
    grep -q '"complete": true' "$out/json" || fail "$*: not complete"
}

for source in "$directory"/*.c "$directory"/*.cpp; do
    build
    judge hb --model hb
    judge past --model hb --no-prescient
    judge right --model hb
    judge right --model sc
    [ -n "$(says wrong)" ] || continue
    build -DWRONG
    judge wrong --model hb
done
[ $failed -eq 0 ]
