#!/bin/sh
# run.sh BUILD-DIR: prints Table 1 of the paper on atomic-set serializability beside what
# `stalemate atomicity` reports in C programs written after its rows, by default and with the
# paper's own units of work. Fails if the documented bug of one of the first seventeen is not
# found in two executions, if fewer of their reports are harmful than the paper's 89 per cent, or
# if anything is reported in a repaired twin.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
sources=$here/../../tests/atomicity/table1
programs=$build/tests/atomicity/table1
work=$build/assd
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# figures PROGRAM OPTION...: "FOUND OF VIOLATIONS HARMFUL" of the documented bugs. A program that
# fails at once, without a report, counts as one in which nothing was found.
figures() {
    program=$1 got=0 any=
    shift
    "$build/bin/stalemate" atomicity --quiet --out "$program.out" --json "$program.json" "$@" -- \
        "$programs/$program" >"$program.text" 2>&1 </dev/null || got=$?
    [ $got -ne 3 ] || { echo 0 1 0 0; return; }
    [ $got -le 1 ] || { cat "$program.text" >&2; exit 1; }
    [ "$*" != --paper-units ] || any=--any-unit
    "$build/tests/atomicity/atomicity-judge" $any expect "$sources/${program%.repaired}.c" \
        "$program.json" >"$program.figures" || [ $? -eq 1 ] || exit 1
    awk '{print $2, $4, $6, $8}' "$program.figures"
}

# needed PROGRAM: executions until the documented bug is found; 0: not in two.
needed() {
    for trials in 1 2; do
        set -- "$1" $(figures "$1" --trials $trials)
        [ "$2" -lt "$3" ] || { echo $trials; return; }
    done
    echo 0
}

yes_if() { [ "$1" -eq "$2" ] && echo Y || echo N; }

printf '%-18s | %10s %5s | %10s %7s %5s %10s | %10s %5s | %s\n' '' paper bug ours '' bug '' \
    "paper's units" bug repaired
printf '%-18s | %10s %5s | %10s %7s %5s %10s | %13s %5s | %s\n' program violations found \
    violations harmful found executions violations found violations
status=0 all=0 bad=0 found=0 paper_found=0
grep -v '^#' "$here/table1.txt" >rows
while read -r number name theirs their_bug program; do
    set -- $(figures "$program") $(needed "$program") $(figures "$program" --paper-units) \
        $(figures "$program.repaired" --trials 20)
    bug=$(yes_if "$1" "$2")
    printf '%2d %-15s | %10d %5s | %10d %7d %5s %10d | %13d %5s | %d\n' "$number" "$name" "$theirs" \
        "$their_bug" "$3" "$4" "$bug" "$5" "$8" "$(yes_if "$6" "$7")" "${12}"
    [ "${12}" -eq 0 ] || { echo "  FAILED: reports in the repaired program" >&2; status=1; }
    [ "$bug" = Y ] || { echo "  FAILED: the documented bug is not found" >&2; status=1; }
    [ "$number" -le 17 ] || continue
    all=$((all + $3)) bad=$((bad + $4))
    [ "$bug" = N ] || found=$((found + 1))
    [ "$their_bug" = N ] || paper_found=$((paper_found + 1))
done <rows

echo
echo "Executions are those until the bug is found, after one with the threads one after the other."
echo "Documented bugs of the first 17 found: $found (paper: $paper_found)"
echo "Harmful reports in the first 17: $bad of $all, $((100 * bad / (all ? all : 1))) per cent" \
    "(paper, all rows: 89)"
[ $((100 * bad)) -ge $((89 * all)) ] || { echo "  FAILED: fewer than the paper's" >&2; status=1; }
exit $status
