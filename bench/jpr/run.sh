#!/bin/sh
# run.sh BUILD-DIR [short]: Figure 14 of the JPR paper beside ours; see cells.sh. JPR is
# `verify --model oota`, JPF is `verify --model sc`, and `hb` is asked for the verdicts of the
# causality tests' authors. short: verdicts, iterations and write sets; no times, no memory.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
form=${2:-whole}
stalemate=$build/bin/stalemate
work=$build/reproduce/jpr-$form
rm -rf "$work"
mkdir -p "$work"
cd "$work"
cells_dir=$work
. "$here/../cells.sh"
"${STALEMATE_CLANG:-clang-19}" -O1 -o usage "$here/../usage.c"

# verify MODEL NAME OPTION... -- PROGRAM ARGUMENT...: leaves NAME.MODEL and NAME.MODEL.used
verify() {
    model=$1 name=$2
    shift 2
    status=0
    ./usage "$name.$model.used" 1 "$stalemate" verify --model "$model" --out out \
        --json "$name.$model.json" "$@" >"$name.$model" 2>&1 </dev/null || status=$?
}

# number FILE KEY: the first number of the key in the JSON
number() { sed -n "s/.*\"$2\": \([0-9]*\).*/\1/p" "$1.json" | head -1; }
threads() { # PROGRAM ARGUMENT...: without main, which only waits
    "$stalemate" run --model sc -- "$@" 2>&1 </dev/null |
        sed -n 's/.*events, \([0-9]*\) threads.*/\1/p' | awk '{ print $1 - 1 }'
}

# outcome FILE PATTERN: allowed, forbidden, or what went wrong
outcome() {
    if [ $status -ne 0 ] || grep -q 'not complete' "$1"; then echo "exit $status"
    elif grep -q -- "$2" "$1"; then echo allowed
    else echo forbidden; fi
}

verdict() { # FILE
    case $status in
    0) if grep -q 'not complete' "$1"; then echo incomplete; else echo benign; fi ;;
    1) echo fails ;;
    *) echo error ;;
    esac
}

"$stalemate" cc -g -O1 -pthread "$here/causality.c" -o causality

table "Causality tests" "$here/differences.txt"
grep '^tc' "$here/cases.list" >rows
while read -r name asked authors jpr; do
    verify hb "$name" -- ./causality "$name"
    cell "$name" "authors hb" "$authors" "$(outcome "$name.hb" "$asked")"
    verify sc "$name" --no-symmetry -- ./causality "$name"
    verify oota "$name" -- ./causality "$name"
    [ "$jpr" = - ] || cell "$name" "JPR oota" "$jpr" "$(outcome "$name.oota" "$asked")"
    [ "$form" = short ] || threads ./causality "$name" >"$name.threads"
done <rows
table_end

table "Programs" "$here/differences.txt"
grep '^[a-z]' "$here/programs.list" >rows
while read -r name program flags jpr jpf; do
    "$stalemate" cc -g -O1 -pthread "$flags" "$here/$program.c" -o "$name"
    first=
    [ "$jpr" != fails ] || first=--first
    verify sc "$name" --no-symmetry -- "./$name"
    [ "$jpr" = - ] || cell "$name" "JPF sc" "$jpf" "$(verdict "$name.sc")"
    verify hb "$name" $first -- "./$name"
    hb=$(verdict "$name.hb")
    verify oota "$name" $first -- "./$name"
    [ "$jpr" = - ] || cell "$name" "JPR oota" "$jpr" "$(verdict "$name.oota")"
    [ "$jpr" = - ] || cell "$name" "JPR hb" "$jpr" "$hb"
    [ "$jpr" != - ] || [ "$hb" = benign ] || { echo "  FAILED: $name $hb" >&2; touch failed; }
    [ "$form" = short ] || threads "./$name" >"$name.threads"
done <rows
table_end

table "Figure 14" "$here/differences.txt"
grep -v '^#' "$here/figure14.txt" >rows
while read -r name threads iter time first average ws states mem jpf_time jpf_states jpf_mem; do
    cell "$name" iter "$iter" "$(number "$name.oota" iterations)"
    cell "$name" WS "$ws" "$(number "$name.oota" write_set)"
    cell "$name" states "$states" "$(number "$name.oota" states)" near
    [ "$form" = whole ] || continue
    read -r seconds megabytes <"$name.oota.used"
    cell "$name" thread "$threads" "$(cat "$name.threads")"
    cell "$name" time "$time" "$(awk -v s="$seconds" 'BEGIN { printf "%.2f", s }')" near
    cell "$name" 1st "$first" -
    cell "$name" ave "$average" "$(awk -v s="$seconds" -v n="$(number "$name.oota" iterations)" \
        'BEGIN { printf "%.2f", n ? s / n : s }')" near
    cell "$name" mem "$mem" "$megabytes" near
    read -r seconds megabytes <"$name.sc.used"
    cell "$name" "JPF time" "$jpf_time" "$(awk -v s="$seconds" 'BEGIN { printf "%.2f", s }')" near
    cell "$name" "JPF states" "$jpf_states" "$(number "$name.sc" executions)" near
    cell "$name" "JPF mem" "$jpf_mem" "$megabytes" near
done <rows
table_end
tables_end && [ ! -e failed ]
