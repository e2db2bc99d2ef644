#!/bin/sh
# swapped.sh STALEMATE SOURCES WORK: the order of a function's arguments decides nothing. Four
# programs of the paper's table whose unit is given two objects, as they stand and with the two
# arguments swapped: the same sets are violated, by default and with the paper's units.
set -u
stalemate=$1 sources=$2 work=$3
mkdir -p "$work" && cd "$work" || exit 99
failed=0

# violated NAME OPTION...: the sets and patterns that are reported, each once
violated()
{
    program=$1
    shift
    "$stalemate" atomicity --quiet --out "$program.out" --json "$program.json" "$@" -- \
        "./$program" >"$program.text" 2>&1 </dev/null
    [ $? -le 1 ] || { cat "$program.text" >&2; exit 99; }
    tr -d '\n' <"$program.json" | grep -o '"pattern": [0-9]*, *"words": "[^"]*", *"set": "[^"]*"' |
        sort -u
}

# swap NAME FUNCTION FIRST SECOND CALL SWAPPED-CALL
swap()
{
    sed "s/$2(struct $3, struct $4)/$2(struct $4, struct $3)/; s/$2($5)/$2($6)/" \
        "$sources/table1/$1.c" >"$1.swapped.c"
    ! cmp -s "$1.swapped.c" "$sources/table1/$1.c" || { echo "$1: nothing to swap" >&2; exit 99; }
    "$stalemate" cc -g -O1 -pthread -I "$sources/table1" -o "$1" "$sources/table1/$1.c" &&
        "$stalemate" cc -g -O1 -pthread -I "$sources/table1" -o "$1.swapped" "$1.swapped.c" || exit 99
    for units in "" --paper-units; do
        violated "$1" $units >"$1.as_is"
        violated "$1.swapped" $units >"$1.by_swapping"
        cmp -s "$1.as_is" "$1.by_swapping" && continue
        echo "FAILED: $1 $units depends on the order of arguments:" >&2
        diff "$1.as_is" "$1.by_swapping" >&2
        failed=1
    done
}

swap allocation_vector tester_allocate 'tester \*me' 'vector \*vector' 'me, me->vector' 'me->vector, me'
swap shop customer_buy 'customer \*me' 'shop \*shop' 'me, me->shop' 'me->shop, me'
swap merge_sort sorter_hire 'sorter \*me' 'helpers \*helpers' 'me, me->helpers' 'me->helpers, me'
swap lottery player_play 'lottery \*lottery' 'player \*me' 'me->lottery, me' 'me, me->lottery'
exit $failed
