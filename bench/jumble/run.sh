#!/bin/sh
# run.sh BUILD-DIR: prints Figure 9 of the Jumble paper beside what `stalemate hunt` finds in C
# programs written after its rows, 100 trials or more for each heuristic, and fails if one of
# the paper's verdicts is not ours, or our best heuristic is worse than its best. figure10.sh
# then does Figure 10.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
stalemate=$build/bin/stalemate
work=$build/jumble
rm -rf "$work"
mkdir -p "$work"
cd "$work"

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

# rates TEXT VARIABLE: verdict, model, then per cent for each heuristic in the paper's order.
rates() {
    awk -F '  +' -v name="$2" '
        /^variable  /{on = 1; next}
        on && /^[^ ]/{mine = $1 == name; if (mine) {verdict = $2; model = $3}}
        on && mine && / of /{split($0, w, " "); rate[w[1]] = w[4] ? 100 * w[2] / w[4] : 0}
        END{printf "%s %s %.0f %.0f %.0f %.0f %.0f\n", verdict ? verdict : "none",
            model ? model : "-", rate["sc"], rate["oldest"], rate["oldest-but-different"],
            rate["random"], rate["random-but-different"]}' "$1"
}

for source in "$here"/*.c; do
    name=$(basename "$source" .c)
    "${CC:-cc}" -O1 -pthread -o "$name.native" "$source" -lm
    "$stalemate" cc -g -O1 -pthread -o "$name" "$source" -lm
    "$stalemate" hunt --no-prescient --trials 1000 --schedule patient --verbose --out "$name.out" -- "./$name" \
        >"$name.text" 2>&1 </dev/null || [ $? -eq 1 ] || { cat "$name.text" >&2; exit 1; }
done

status=0
echo "Erroneous runs in per cent, the paper's / ours"
printf '%-28s %6s %8s %9s %9s %9s %9s  %-12s %s\n' row native sc oldest o-but-d random r-but-d \
    verdict model
grep -v '^#' "$here/figure9.txt" >rows
while read -r program variable row p_sc p_o p_od p_r p_rd wanted; do
    set -- $(rates "$program.text" "$variable")
    printf '%-28s %6s %8s %9s %9s %9s %9s  %-12s %s\n' "$row" "0/$(native "$program" 100)" \
        "$p_sc/$3" "$p_o/$4" "$p_od/$5" "$p_r/$6" "$p_rd/$7" "$1" "$2"
    [ "$1" = "$wanted" ] || { echo "  FAILED: the paper says $wanted" >&2; status=1; }
    [ "$wanted" != destructive ] || printf '%s\n' "$p_o $p_od $p_r $p_rd" "$4 $5 $6 $7" | awk '
        {best = 0; for (i = 1; i <= NF; i++) if ($i > best) best = $i; b[NR] = best}
        END{exit !(b[2] >= b[1])}' || { echo "  FAILED: the paper's best is better" >&2; status=1; }
done <rows

echo
echo "Figure 1: $(native figure1 10000) of 10000 native runs fail"
"$stalemate" hunt --no-prescient --trials 5 --out figure1.five -- ./figure1 >figure1.text 2>&1 </dev/null || true
if grep -q '^x  *destructive' figure1.text; then
    echo "Figure 1: destructive within 5 trials"
else
    echo "  FAILED: Figure 1 is not found destructive in 5 trials" >&2
    status=1
fi

echo
"$here/figure10.sh" "$(cd .. && pwd)"
exit $status
