#!/bin/sh
# commands.sh STALEMATE PROGRAM SOURCE CASES: each command that executes the program honours
# --assume-fix, and refuses what it cannot.
set -u
stalemate=$1 program=$2 source=$3
here=$program.commands
rm -rf "$here"
mkdir -p "$here"
. "$(dirname "$0")/marks.sh"
cd "$here" || exit 1

fail()
{
    echo "FAILED: $*" >&2
    cat text >&2
    exit 1
}

# STATUS COMMAND... : under the repairs of the file of that name.
expect()
{
    wanted=$1
    shift
    "$stalemate" "$@" >text 2>&1 </dev/null
    status=$?
    [ $status -eq "$wanted" ] || fail "status $status, not $wanted: stalemate $*"
}

says()
{
    grep -q "$1" text || fail "does not say: $1"
}

lines 'order P:@publish write release; order P:@consume read acquire' >right
lines 'order variable data any relaxed' >payload
lines 'merge P:@increment n' >merged
lines 'order variable n any seq_cst' >atomic
lines 'lock new transaction P:@get-@set' >transaction

# hunt, by trials alone: the store of one set of repairs is not that of another.
expect 1 hunt --no-exact --no-thin-air -- "$program" publication
expect 0 hunt --no-exact --assume-fix right -- "$program" publication
says '^0 racy variables'
expect 1 hunt --no-exact --no-thin-air --assume-fix payload -- "$program" publication
says 'assuming fix: order variable data any relaxed'
for witness in .stalemate/witnesses/*.smw; do
    "$stalemate" check "$witness" >text 2>&1 || fail "$witness is not legal"
done
expect 1 hunt --no-exact --assume-fix atomic -- "$program" update
expect 0 hunt --no-exact --assume-fix merged -- "$program" update
expect 0 hunt --no-exact --assume-fix transaction -- "$program" account
# and with verify to decide.
expect 0 hunt --assume-fix right -- "$program" publication
expect 1 hunt --assume-fix payload -- "$program" publication

expect 1 detect --trials 4 -- "$program" publication
expect 0 detect --trials 4 --assume-fix right -- "$program" publication

expect 0 run --model hb --assume-fix right --record witness -- "$program" publication
says 'assuming fix: order'
expect 0 check witness
expect 0 replay --json json witness
says 'event for event'
grep -q '"assuming": *"order' json || fail "no repairs in the JSON of replay"
expect 1 run --trials 50 --assume-fix atomic -- "$program" update
expect 0 run --trials 50 --assume-fix merged -- "$program" update

expect 1 atomicity --trials 30 --unit deposit --set account=balance -- "$program" account
expect 0 atomicity --trials 30 --unit deposit --set account=balance --assume-fix transaction -- "$program" account

# What does not fit, each line of it; what is no repair; no file; a native program.
lines 'order P:@publish write release; order P:1 read acquire; lock nolock P:@publish' >wrong
expect 2 run --assume-fix wrong -- "$program" publication
says 'order programs.c:1 read acquire  # means no access'
says 'lock nolock programs.c:[0-9]*  # there is no global mutex'
grep -q 'write release' text && fail "a line that fits is told"
expect 2 verify --assume-fix wrong -- "$program" publication
expect 2 hunt --assume-fix wrong -- "$program" publication
lines 'order P:@publish:11 write release' >column
expect 2 run --assume-fix column -- "$program" publication
echo 'order here write release' >nonsense
expect 2 run --assume-fix nonsense -- "$program" publication
says 'nonsense:1: a place is FILE:LINE'
expect 2 run --assume-fix missing -- "$program" publication
"$stalemate" cc --detect -g -pthread "$source" -o native || exit 1
expect 2 detect --assume-fix right -- ./native publication
says 'built with --detect'
exit 0
