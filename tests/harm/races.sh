#!/bin/sh
# races.sh BIN-DIR SCRATCH: verify lists the races of races.c in the models that have them, with both
# stacks, and in no other; --fail-on race makes them its exit status.
. "$(dirname "$0")/../common.sh"
"$stalemate" cc -g -O1 -pthread -w -o program "$here/races.c" || fail "cannot build"

# has KIND MODEL
has() {
    case $1:$2 in
    all:* | loud:* | weak:tso | weak:pso | weak:c11 | weak:hb | weak:oota | future:hb | future:oota) ;;
    *) return 1 ;;
    esac
}

n=0
for line in $(sed -n 's/ //g; s/^CASE(\([a-z_]*\),\([a-z]*\)).*/\1:\2/p' "$here/races.c"); do
    name=${line%%:*} kind=${line#*:} n=$((n + 1))
    for model in sc tso pso c11 hb oota; do
        status=0 expected=0 variable=shared
        ! has "$kind" $model || expected=1
        [ "$kind" != loud ] || variable=loud
        "$stalemate" verify --model $model --fail-on race -- ./program "$name" >output 2>&1 || status=$?
        found=$(grep -c "^race on $variable:" output) || true
        [ "$found" = $expected ] || fail "$name under $model: $found races: $(cat output)"
        [ $status = "$(grep -q '^race on ' output && echo 1 || echo 0)" ] ||
            fail "$name under $model: status $status: $(cat output)"
        [ $found = 0 ] || [ "$kind" = loud ] ||
            [ "$(grep -c 'thread [12]: use .*races.c:[0-9]*, called by ' output)" = 2 ] ||
            fail "$name under $model: no two stacks: $(cat output)"
    done
done

# Without --fail-on race a race is no violation; with --first it is where verify stops.
for model in sc hb; do
    "$stalemate" verify --model $model -- ./program two_writes >output 2>&1 || fail "$(cat output)"
    "$stalemate" verify --model $model --first -- ./program two_writes >output 2>&1 || fail "$(cat output)"
    ! grep -q "not complete" output || fail "--first stops at a race unasked: $(cat output)"
    ! "$stalemate" verify --model $model --first --fail-on race -- ./program two_writes >output 2>&1 ||
        fail "--first --fail-on race: $(cat output)"
    grep -q "not complete" output || fail "--first goes on after a race: $(cat output)"
done
echo "$n cases, as expected"
