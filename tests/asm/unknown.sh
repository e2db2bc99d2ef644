#!/bin/sh
# unknown.sh STALEMATE SOURCE WORK: assembly that is not understood is named, once, and no verdict
# rests on what it could have ordered. The twin without it is destructive.
set -u
stalemate=$1 source=$2 work=$3
mkdir -p "$work" && cd "$work" || exit 99

fail()
{
    echo "FAILED: $1" >&2
    cat text >&2
    exit 1
}

"$stalemate" cc -g -O1 -pthread "$source" -o unknown &&
    "$stalemate" cc -g -O1 -pthread -DTWIN "$source" -o twin &&
    "$stalemate" cc --detect -g -O1 -pthread "$source" -o native || exit 99

"$stalemate" run -- ./unknown >text 2>&1 || fail "run: exit status $?"
for line in 20 21 27 28; do
    [ "$(grep -c "note: .*unknown.c:$line: this inline assembly is not understood" text)" = 1 ] ||
        fail "line $line is not named once"
done
rm -rf out && "$stalemate" hunt --out out -- ./unknown >text 2>&1 || fail "hunt: exit status $?"
grep -q destructive text && fail "a destructive verdict"
[ "$(grep -c 'unknown.c:20: this inline assembly' text)" = 1 ] || fail "hunt does not name it once"
"$stalemate" verify -- ./unknown >text 2>&1
[ $? = 3 ] || fail "verify does not refuse"
grep -q 'inline assembly at .*unknown.c:' text || fail "verify does not say where"
./native >text 2>&1 || fail "native: exit status $?"
grep -q 'unknown.c:20: inline assembly that is not understood' text || fail "native: not named"

rm -rf out && "$stalemate" hunt --out out -- ./twin >text 2>&1
[ $? = 1 ] || fail "the twin: exit status"
grep -q 'counter .*destructive' text || fail "the twin is not destructive"
grep -q 'not understood' text && fail "the twin has no assembly"
exit 0
