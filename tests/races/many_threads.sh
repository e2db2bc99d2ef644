#!/bin/sh
# many_threads.sh BUILD - the detect flavour with 20,000 threads, 2,000 of them at once: nothing runs
# out, the one race there can be is found, and nothing without it. And 2,000 at once under control.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/bin/stalemate" cc --detect -O1 "$(dirname "$0")/many_threads.c" -o "$work/program" -pthread

found() { # STATUS ARGUMENTS: the names of what races, and what the runtime says of its limits
    status=$1
    shift
    got=0
    "$work/program" "$@" 2>"$work/errors" || got=$?
    [ "$got" -eq "$status" ] || {
        echo "FAIL: exit status $got of many_threads $*, not $status" >&2
        tail -n 20 "$work/errors" >&2
        exit 1
    }
    sed -n 's/^stalemate: data race on //p; / ran out/p' "$work/errors" | sort -u
}

expect() { # WANTED STATUS ARGUMENTS
    wanted=$1
    shift
    named=$(found "$@")
    [ "$named" = "$wanted" ] || {
        echo "FAIL: many_threads $*: expected ${wanted:-no race}, found ${named:-none}" >&2
        exit 1
    }
}

expect '' 0
expect stray 66 race
expect '' 0 none

"$build/bin/stalemate" cc -O1 "$(dirname "$0")/many_threads.c" -o "$work/controlled" -pthread
controlled() { # STATUS WHAT ARGUMENT: it says WHAT
    got=0
    "$build/bin/stalemate" detect -- "$work/controlled" "$3" 1 >"$work/errors" 2>&1 || got=$?
    if [ "$got" -ne "$1" ] || ! grep -qF "$2" "$work/errors"; then
        echo "FAIL: exit status $got of many_threads $3 under control, or not: $2" >&2
        tail -n 20 "$work/errors" >&2
        exit 1
    fi
}
controlled 1 "race 1: data race on stray" race
controlled 0 "0 data races in 1 execution" none
