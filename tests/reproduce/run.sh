#!/bin/sh
# run.sh SCRIPT BUILD-DIR CELLS: the short form of a reproduction (bench/cells.sh). It must end well:
# no cell differs without a reason that still holds. And it must have all its cells.
set -u
script=$1 build=$2 cells=$3
"$script" "$build" short >"$build/reproduce.text.$$" 2>&1
status=$?
text=$(cat "$build/reproduce.text.$$")
rm -f "$build/reproduce.text.$$"
fail() { echo "$text"; echo "FAILED: $1" >&2; exit 1; }
[ $status -eq 0 ] || fail "exit status $status"
sums=$(echo "$text" |
    sed -n 's/^all tables: \([0-9]*\) reproduced, \([0-9]*\) different, \([0-9]*\) not reproduced$/\1 \2 \3/p' |
    awk '{ print $1 + $2 + $3 }')
[ "$sums" = "$cells" ] || fail "${sums:-no} cells instead of $cells"
