#!/bin/sh
# run.sh BUILD-DIR [short]: Figures 9 and 10 of the Jumble paper beside what `stalemate` finds in C
# programs written after its rows; see cells.sh. short: verdicts and deterministic columns only,
# from fewer trials.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
form=${2:-whole}
stalemate=$build/bin/stalemate
work=$build/reproduce/jumble-$form
rm -rf "$work"
mkdir -p "$work"
cd "$work"
cells_dir=$work
. "$here/../cells.sh"
# The papers have trials alone, and no model checker that decides before.
by_trials=$("$stalemate" hunt --help | grep -o -e --no-exact | head -1)

# native PROGRAM RUNS: how many of so many native runs fail or print something else.
native() {
    timeout 10 "./$1.native" >expected || { echo "$2"; return; }
    failed=0 i=0
    while [ $i -lt "$2" ]; do
        timeout 10 "./$1.native" >actual 2>&1 && cmp -s expected actual || failed=$((failed + 1))
        i=$((i + 1))
    done
    echo $failed
}

# rates TEXT VARIABLE: verdict, then per cent for each heuristic in the paper's order.
rates() {
    awk -F '  +' -v name="$2" '
        /^variable  /{on = 1; next}
        on && /^[^ ]/{mine = $1 == name; if (mine) verdict = $2}
        on && mine && / of /{split($0, w, " "); rate[w[1]] = w[4] ? 100 * w[2] / w[4] : 0}
        END{printf "%s %.0f %.0f %.0f %.0f %.0f\n", verdict ? verdict : "none",
            rate["sc"], rate["oldest"], rate["oldest-but-different"],
            rate["random"], rate["random-but-different"]}' "$1"
}

hunt() { # PROGRAM TRIALS OUT
    "$stalemate" hunt $by_trials --no-prescient --trials "$2" --schedule patient --verbose --out "$3.out" -- \
        "./$1" >"$3.text" 2>&1 </dev/null || [ $? -eq 1 ] || { cat "$3.text" >&2; exit 1; }
}

trials=1000
[ "$form" = whole ] || trials=100
for source in "$here"/*.c; do
    name=$(basename "$source" .c)
    "$stalemate" cc -g -O1 -pthread -o "$name" "$source" -lm
    hunt "$name" $trials "$name"
    [ "$form" = short ] || "${CC:-cc}" -O1 -pthread -o "$name.native" "$source" -lm
done

table "Figure 9, per cent of runs" "$here/differences.txt"
grep -v '^#' "$here/figure9.txt" >rows
while read -r program variable row none sc oldest oldest_different random random_different wanted; do
    set -- $(rates "$program.text" "$variable")
    if [ "$form" = whole ]; then
        cell "$row" none "$none" "$(native "$program" 100)" rate
        cell "$row" oldest "$oldest" "$3" rate
        cell "$row" oldest-but-different "$oldest_different" "$4" rate
        cell "$row" random "$random" "$5" rate
        cell "$row" random-but-different "$random_different" "$6" rate
    fi
    cell "$row" sc "$sc" "$2" rate
    cell "$row" race "$wanted" "$1"
done <rows
table_end

table "Figure 1" "$here/differences.txt"
hunt figure1 5 five
set -- $(rates figure1.text x)
cell figure-1:x race destructive "$1"
if [ "$form" = whole ]; then
    cell figure-1:x "native of 10000" 0 "$(native figure1 10000)"
    cell figure-1:x random 50 "$5" rate
fi
table_end

[ "$form" = short ] || . "$here/figure10.sh"
tables_end
