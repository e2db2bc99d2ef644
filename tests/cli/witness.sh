#!/bin/sh
# Record and replay; witnesses that are damaged, foreign or cannot be written.
. "$(dirname "$0")/../common.sh"
build victim.c
replay() {
    says "$1" "$2" "$stalemate" replay "$3"
}

# Each ends as it did, from another directory and with another environment and input.
for what in "exit 0" "exit 5" crash abort assert deadlock; do
    "$stalemate" run --quiet --record w -- ./victim $what >/dev/null 2>&1 </dev/null || true
    status=1
    [ "$what" != "exit 0" ] || status=0
    (cd / && says $status "the same as recorded" env ODD=1 "$stalemate" replay "$2/w") || exit 1
done
echo "some input" | "$stalemate" run --quiet --record w -- ./victim echo >/dev/null
replay 0 "some input" w
# Stopped from outside, perhaps before its first event.
for seconds in 0.001 0.3; do
    "$stalemate" run --quiet --timeout $seconds --record w -- ./victim spin >/dev/null 2>&1 </dev/null || true
    replay 1 "the same as recorded" w
done

"$stalemate" run --quiet --record w -- ./victim >/dev/null </dev/null
replay 2 "No such file" missing
echo "not a witness at all" >text
replay 2 "not a witness" text
head -c 300 w >short
replay 2 "truncated" short
for at in 9 20 40 100 400; do
    cp w bent
    printf '\377' | dd of=bent bs=1 seek=$at conv=notrunc 2>/dev/null
    cmp -s w bent || says 2 "cannot read the witness bent" "$stalemate" replay bent
done

# Another build, or none.
"$stalemate" cc -g -O0 -pthread -o victim "$here/victim.c"
replay 2 "recorded with another build" w
also "build-id"
rm victim
replay 2 "the program of w is not there any more: " w
also "say where it is now: stalemate replay --program PATH w"
build victim.c
mv victim moved
says 0 "the same as recorded" "$stalemate" replay --program ./moved w
"$stalemate" cc -g -O0 -pthread -o other "$here/victim.c"
says 2 "recorded with another build" "$stalemate" replay --program ./other w
build victim.c
replay 0 "the same as recorded" w

# A file that cannot be written, before and after the execution.
says 2 "cannot write /no/such/dir/w" "$stalemate" run --record /no/such/dir/w ./victim
never "hello"
says 2 "not a regular file" "$stalemate" run --record /dev/null ./victim
cp w before
says 2 "cannot write the witness w: No space left on device" \
    env LD_PRELOAD="$3" "$stalemate" run --record w ./victim
cmp -s w before || fail "a full disk harmed the old witness"
[ "$(ls w*)" = w ] || fail "a full disk left something behind: $(ls w*)"
