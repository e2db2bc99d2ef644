#!/bin/sh
# replay --gdb stops where it failed.
. "$(dirname "$0")/../common.sh"
if ! command -v gdb >/dev/null; then
    echo "skipped: there is no gdb"
    exit 77
fi
build victim.c

for what in crash assert deadlock; do
    "$stalemate" run --quiet --record w -- ./victim $what >/dev/null 2>&1 </dev/null || true
    echo "backtrace" | "$stalemate" replay --gdb w >output 2>&1 || fail "gdb: $what"
    if [ $what = crash ]; then
        also "SIGSEGV"
    else
        also "sm_end"
    fi
    also "victim.c"
done
