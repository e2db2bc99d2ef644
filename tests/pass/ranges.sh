#!/bin/sh
# ranges.sh STALEMATE SOURCE WORK - the detect flavour checks counted loops as ranges, whatever the
# type of their index, and others access by access; only checks of large functions are called.
set -u
stalemate=$1 source=$2 work=$3
mkdir -p "$work"
object=$work/ranges.o
"$stalemate" cc --detect -O2 -c "$source" -o "$object" || exit 1
failed=0

calls() { # FUNCTION: the checks it calls
    objdump -dr "$object" |
        awk -v function_="<$1>:" '/^[0-9a-f]+ </ { inside = $2 == function_ } inside' |
        sed -n 's/.*\(sm_[a-z]*_range\|sm_read[0-9]\|sm_write[0-9]\|sm_outline_[a-z]*[0-9]\).*/\1/p' | sort -u | tr '\n' ' '
}

expect() { # FUNCTION CALLS
    found=$(calls "$1")
    [ "$found" = "$2 " ] && return
    echo "FAIL: $1 calls '$found', not '$2 '" >&2
    failed=1
}

expect by_int sm_write_range
expect by_long sm_write_range
expect down sm_read_range
expect until sm_read8
expect large "sm_outline_read8 sm_read8"
expect small sm_read8
exit $failed
