#!/bin/sh
# race_free.sh BUILD SEEDS [PATTERN]: builds the programs of tests/races/none, and looks for values
# from the future in SEEDS executions of each: there must be none (see race_free.c). Without a
# pattern the programs of tests/programs too, as far as they are built.
set -u
build=$(cd "$1" && pwd) seeds=$2 pattern=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for source in "$here"/../races/none/${pattern:-*}.c; do
    "$build/bin/stalemate" cc -g -O1 -pthread "$source" -o "$work/$(basename "$source" .c)" || exit 1
done
set -- "$work"/*
if [ -z "$pattern" ]; then
    # Those that wait for the outside world, or fail on purpose, tell nothing here.
    for program in "$build"/tests/programs/memory/* "$build"/tests/programs/sync/* \
        "$build"/tests/programs/threads/* "$build"/tests/programs/language/*; do
        [ -f "$program" ] && [ -x "$program" ] && set -- "$@" "$program"
    done
fi
"$build/tests/prescient/prescient-race-free" "$seeds" "$@"
