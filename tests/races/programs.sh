#!/bin/sh
# programs.sh BUILD - the race-free programs of tests/programs that synchronise, in C and in C++,
# with threads running in parallel: nothing is reported.
set -u
build=$1
programs=$(cd "$(dirname "$0")/../programs" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 ran=0

for source in "$programs"/cxx/*.cpp "$programs"/sync/*.cpp "$programs"/sync/*.c \
    "$programs"/libc/file_locks.c "$programs"/libc/*pipe*.c "$programs"/libc/*socket*.c; do
    # Blocks that SV-COMP calls atomic are so only where one thread runs at a time. mutex_handoff
    # unlocks what another thread holds, and that is reported: locks.cases has it.
    case $source in */verifier_atomic.c | */mutex_handoff.c) continue ;; esac
    compiler=stalemate-cc
    case $source in *.cpp) compiler=stalemate-c++ ;; esac
    cflags=$(sed -n '/^\/\//!q; s|^// cflags: *||p' "$source")
    ran=$((ran + 1))
    # shellcheck disable=SC2086 # cflags is a list
    if ! "$build/bin/$compiler" --detect -O1 -g -pthread "$source" -o program $cflags 2>found ||
        ! ./program >found 2>&1 </dev/null || grep -q '^stalemate: data race' found; then
        echo "FAIL $source" >&2
        sed 's/^/  | /' found >&2
        failed=$((failed + 1))
    fi
done
echo "races: $ran programs of tests/programs, $failed failed"
[ "$failed" -eq 0 ]
