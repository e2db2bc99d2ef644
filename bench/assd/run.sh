#!/bin/sh
# run.sh BUILD-DIR [short]: Tables 1 and 2 of the paper on atomic-set serializability beside what
# `stalemate atomicity` reports in C programs written after its rows, with the paper's units of work
# and with ours; see cells.sh. Fails, too, if anything is reported in a repaired twin. short:
# without the twins, which have tests of their own.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
form=${2:-whole}
sources=$here/../../tests/atomicity/table1
programs=$build/tests/atomicity/table1
work=$build/reproduce/assd-$form
rm -rf "$work"
mkdir -p "$work"
cd "$work"
cells_dir=$work
. "$here/../cells.sh"

# look PROGRAM BASE OPTION...: leaves BASE.json and BASE.figures, by the judge of the tests. No
# JSON: the program fails in its first execution, and nothing was looked for.
look() {
    looked=$1 base=$2 got=0 any=
    shift 2
    "$build/bin/stalemate" atomicity --quiet --out "$base.out" --json "$base.json" "$@" -- \
        "$programs/$looked" >"$base.text" 2>&1 </dev/null || got=$?
    [ $got -le 1 ] || { cat "$base.text" >&2; exit 1; }
    [ -e "$base.json" ] || echo '{"executions": 1, "violations": []}' >"$base.json"
    [ "$*" != --paper-units ] || any=--any-unit
    "$build/tests/atomicity/atomicity-judge" $any expect "$sources/${looked%.repaired}.c" \
        "$base.json" >"$base.figures" || [ $? -eq 1 ]
}

# patterns NAME true|false: harmful or other reports of each pattern
patterns() {
    awk -F '[":, ]+' -v harmful="$2" '$2 == "pattern" { pattern = $3 }
        $2 == "harmful" && $3 == harmful { n[pattern]++ }
        END { for (i = 1; i <= 14; i++) printf "%d ", n[i] }' "$1.json"
}

found() { awk '{ print $2 == $4 ? "Y" : "N" }' "$1.figures"; }
tuples() { awk -F '[":, ]+' '$2 == "tuples" { n = $3 } END { print n + 0 }' "$1.json"; }

cells_of_patterns() { # ROW OURS PAPER...
    row=$1 ours=$2 pattern=0
    shift 2
    for paper in "$@"; do
        pattern=$((pattern + 1))
        cell "$row" $pattern "$paper" "$(echo "$ours" | cut -d ' ' -f $pattern)"
    done
}

# table_1 TITLE SUFFIX OPTION...
table_1() {
    title=$1 suffix=$2
    shift 2
    table "$title" "$here/differences.txt"
    while read -r number name program lines p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12 p13 bug slow \
        most depth; do
        row="$number:$name"
        if [ "$program" = - ]; then
            cell "$row" lines "$lines" -
            cells_of_patterns "$row" "- - - - - - - - - - - - -" $p1 $p2 $p3 $p4 $p5 $p6 $p7 $p8 $p9 \
                $p10 $p11 $p12 $p13
            cell "$row" SF "$slow" -
            cell "$row" tuples "$most" -
            cell "$row" depth "$depth" -
            continue
        fi
        look "$program" "$name.$suffix" "$@"
        cell "$row" lines "$lines" "$(wc -l <"$sources/$program.c")" near
        cells_of_patterns "$row" "$(patterns "$name.$suffix" true)" $p1 $p2 $p3 $p4 $p5 $p6 $p7 $p8 \
            $p9 $p10 $p11 $p12 $p13
        [ "$bug" = - ] || cell "$row" bug "$bug" "$(found "$name.$suffix")"
        cell "$row" SF "$slow" -
        cell "$row" tuples "$most" "$(tuples "$name.$suffix")"
        [ "$depth" = - ] || cell "$row" depth "$depth" -
    done <rows
    table_end
}

grep -v '^#' "$here/table1.txt" >rows
table_1 "Table 1, the paper's units" paper --paper-units
table "Table 2, the paper's units" "$here/differences.txt"
while read -r number all; do
    name=$(awk -v n="$number" '$1 == n { print $2 }' rows)
    cells_of_patterns "$number:$name" "$(patterns "$name.paper" false)" $all
done <<END
$(grep -v '^#' "$here/table2.txt")
END
table_end
table_1 "Table 1, our units" ours

table "Summary" "$here/differences.txt"
share() { # SUFFIX: harmful reports in per cent
    cat ./*."$1".figures | awk '{ all += $6; bad += $8 } END { printf "%.0f\n", all ? 100 * bad / all : 0 }'
}
count_found() { awk '$3 != "-" && $1 <= 17 { print $2 }' rows | while read -r name; do
    found "$name.$1"; done | grep -c Y; }
cell "malign, per cent" "the paper's units" 89 "$(share paper)" rate
cell "malign, per cent" "our units" 89 "$(share ours)" rate
cell "specified bugs of 17" "the paper's units" 13 "$(count_found paper)"
cell "specified bugs of 17" "our units" 13 "$(count_found ours)"
table_end

if [ "$form" = whole ]; then
    reported=0
    for program in $(awk '$3 != "-" { print $3 }' rows); do
        look "$program.repaired" "$program.repaired" --trials 20
        reported=$((reported + $(awk '{ print $6 }' "$program.repaired.figures")))
    done
    echo "Reports in the repaired programs, 20 executions each: $reported"
    [ $reported -eq 0 ] || touch failed
fi
tables_end && [ ! -e failed ]
