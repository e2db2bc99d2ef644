#!/bin/sh
# many_threads.sh BUILD - the detect flavour with 20,000 threads, 2,000 of them at once: nothing runs
# out, the one race there can be is found, and nothing without it.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/bin/stalemate" cc --detect -O1 "$(dirname "$0")/many_threads.c" -o "$work/program" -pthread

found() { # ARGUMENTS: the names of what races, and what the runtime says of its limits
    "$work/program" "$@" 2>"$work/errors" || {
        echo "FAIL: exit status $? of many_threads $*" >&2
        tail -n 20 "$work/errors" >&2
        exit 1
    }
    sed -n 's/^stalemate: data race on //p; / ran out/p' "$work/errors" | sort -u
}

expect() { # WANTED ARGUMENTS
    wanted=$1
    shift
    got=$(found "$@")
    [ "$got" = "$wanted" ] || {
        echo "FAIL: many_threads $*: expected ${wanted:-no race}, found ${got:-none}" >&2
        exit 1
    }
}

expect ''
expect stray race
