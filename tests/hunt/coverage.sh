#!/bin/sh
# Trials end when they see no new pair of a store and its read, and the report says so.
. "$(dirname "$0")/../common.sh"
build sources/many_places.c
$stalemate cc -g -O1 -pthread -DHARMFUL -o harmful "$here/sources/many_places.c" || fail "cannot build harmful"
build programs/stop_flag.c

# ended PROGRAM WORD: what ended the trials of its only variable.
ended() {
    $stalemate hunt --no-exact --no-prescient --quiet --json "$1.json" --out "$1.out" -- "./$1"
    grep -q "\"ended\": *\"$2\"" "$1.json" || fail "$1: not ended by $2"
}
number() {
    sed -n "s/.*\"$2\": *\([0-9]*\).*/\1/p" "$1.json" | head -1
}

ended stop_flag saturation
[ "$(number stop_flag pairs)" -eq 2 ] || fail "stop_flag: not the initial value and the store"

# New ones keep coming: ten times the 200 trials, unless --trials or --time says otherwise.
ended many_places trials
[ "$(number many_places trials)" -ge 2000 ] || fail "many_places: too few trials"
says 0 "new ones still came" $stalemate hunt --no-exact --no-prescient --out many_places.out -- \
    ./many_places
[ "$(number many_places lost)" -eq 0 ] || fail "many_places: lost"

# More pairs than an execution has room for: told, and never called saturated.
says 0 "not counted: " $stalemate hunt --no-exact --no-prescient --trials 4 --verbose \
    --json all.json --out all.out -- ./many_places all
[ "$(number all lost)" -gt 0 ] || fail "all: nothing lost"
! grep -q '"ended": *"saturation"' all.json || fail "all: saturated"

says 1 "destructive" $stalemate hunt --no-exact --no-prescient --out harmful.out -- ./harmful
