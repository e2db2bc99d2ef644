#!/bin/sh
# cells.sh BENCH-DIR WORK: how the cells of a reproduction are marked (bench/cells.sh).
set -u
here=$1/jumble work=$2
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 99
failed=0
cells_dir=$work
. "$1/cells.sh"

known() { printf '%s\n' "$@" >known; }
# expect MARK ROW COLUMN PAPER OURS [KIND]: the mark of one cell
expect() {
    wanted=$1
    shift
    rm -f marks
    table T known
    cell "$@"
    table_end >text
    got=$(cut -f 5 marks)
    [ "$got" = "$wanted" ] || { echo "FAILED: $*: $got instead of $wanted"; failed=1; }
}
# ends STATUS: of the sums of the last table
ends() {
    tables_end >text && status=0 || status=$?
    [ $status -eq "$1" ] || { echo "FAILED: tables_end: $status instead of $1"; cat text; failed=1; }
}

known 'row|a,b|7|different|because' 'r[12]|c|*|not reproduced|no such thing here'
expect reproduced row x 5 5
ends 0
expect "not reproduced" row x 5 6
ends 1
grep -q 'no reason is known for 1' text || { echo "FAILED: the sums do not say so"; failed=1; }
expect different row a 5 7
ends 0
expect different row b 5 7
expect "not reproduced" row a 5 8 # ours has changed: the reason no longer holds
ends 1
expect "not reproduced" row c 5 7
ends 1
expect "not reproduced" r2 c 5 7 # not reproduced, for a known reason
ends 0
# Better is not the same.
expect "not reproduced" row x 0 1
expect "not reproduced" row x 13 17
expect reproduced row x 80 90 rate
expect "not reproduced" row x 80 100 rate
expect "not reproduced" row x 80 60 rate
expect "not reproduced" row x 5 0 rate # something, and nothing
expect "not reproduced" row x 0 5 rate
expect reproduced row x 100 109 near
expect "not reproduced" row x 100 111 near
expect "not reproduced" row x 100 - near
exit $failed
