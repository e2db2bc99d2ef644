#!/bin/sh
# verify --states on programs that run for ever: each with a twin that has a mistake.
# Usage: endless.sh STALEMATE PROGRAMS
set -u
stalemate=$1 programs=$2
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failed=0

fail()
{
    echo "$*:"
    cat "$out/text"
    failed=$((failed + 1))
}

# expect STATUS TEXT PROGRAM FLAGS...: verify --states exits so, and says so
expect()
{
    status=$1 text=$2 program=$3
    shift 3
    rm -f "$out"/*.witness
    "$stalemate" cc -O1 -g -pthread "$@" "$programs/$program.c" -o "$out/program" || exit 1
    "$stalemate" verify --states --out "$out" $options -- "$out/program" >"$out/text" 2>&1 </dev/null
    got=$?
    [ $got -eq "$status" ] || fail "$program $*: exit status $got, expected $status"
    grep -q -- "$text" "$out/text" || fail "$program $*: no '$text'"
    for witness in "$out"/*.witness; do
        [ -e "$witness" ] || continue
        "$stalemate" replay "$witness" >"$out/text" 2>&1 </dev/null
        grep -q 'event for event' "$out/text" || fail "$program $*: replay"
        "$stalemate" check "$witness" >"$out/text" 2>&1 || fail "$program $*: check"
    done
}

# proved PROGRAM FLAGS...
proved()
{
    expect 0 '0 violations' "$@"
    ! grep -q 'not complete' "$out/text" || fail "$*: not complete"
}

options=
proved locked_turn
expect 1 'violation: assert' locked_turn -DWRONG
proved peterson
expect 1 'violation: assert' peterson -DWRONG
proved ping_pong
expect 1 'violation: livelock' ping_pong -DDROPPED
proved taken_back
expect 1 'violation: livelock' taken_back -DNEVER
proved until_told
proved until_told -DFORGOTTEN
expect 0 'not complete' unseen_turns
options='--bound 200'
expect 0 'more events than --bound' until_told -DCOUNTS

[ $failed -eq 0 ]
