#!/bin/sh
# run.sh BUILD-DIR [short]: the examples of JRF's slides, and data structures after Herlihy and
# Shavit, racy and repaired; see cells.sh. Every SC execution is explored. Fails, too, if a race of
# theirs is missed or one is reported in a repaired structure. short: the same.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
stalemate=$build/bin/stalemate
work=$build/reproduce/jrf-${2:-whole}
rm -rf "$work"
mkdir -p "$work"
cd "$work"
cells_dir=$work
. "$here/../cells.sh"

explore() { # NAME FLAGS
    "$stalemate" cc -g -O1 -pthread "$2" "$here/$1.c" -o program
    "$stalemate" verify --model sc --out out -- ./program >text 2>&1 </dev/null || [ $? -eq 1 ]
}

# racy: the variables that the last exploration has found races on
racy() {
    sed -n 's/^race on \([^:]*\):.*/\1/p' text | sort -u | paste -sd + | grep . || echo none
}

# What JPF says of the same program: it explores the SC executions and looks for failures.
errors() { if grep -q ' 0 violations' text; then echo "no errors"; else echo errors; fi; }

table "Examples" "$here/differences.txt"
grep -v '^#' "$here/examples.txt" >rows
while read -r row program flags variables; do
    explore "$program" "$flags"
    cell "$row" "races on" "$variables" "$(racy)"
    [ "$row" != Simple ] || cell "$row" JPF "no errors" "$(errors)"
done <rows
table_end

echo "Structures after Herlihy and Shavit, 17, each racy and repaired"
with_races=0 programs=0
for source in "$here"/*.c; do
    name=$(basename "$source" .c)
    grep -q " $name " "$here/examples.txt" && continue
    explore "$name" -DAS_IT_IS
    racy=$(racy)
    explore "$name" -DFIXED
    repaired=$(racy)
    grep -q 'race-free, hence sequentially consistent' text || repaired="not sequentially consistent"
    printf '%-18s races on %s; repaired: %s\n' "$name" "$racy" "$repaired"
    programs=$((programs + 2))
    [ "$racy" = none ] || with_races=$((with_races + 1))
    [ "$racy" != none ] && [ "$repaired" = none ] || { echo "  FAILED: $name" >&2; touch failed; }
done
echo

table "Case studies, tests with races and all tests" "$here/differences.txt"
grep -v '^#' "$here/suites.txt" >rows
while read -r suite races tests ours; do
    if [ "$ours" -gt 0 ]; then
        cell "$suite" "with races" "$races" $with_races
        cell "$suite" tests "$tests" $programs
    else
        cell "$suite" "with races" "$races" "no tests"
        cell "$suite" tests "$tests" 0
    fi
done <rows
cell total "with races" 39 $with_races
cell total tests 132 $programs
table_end
tables_end && [ ! -e failed ]
