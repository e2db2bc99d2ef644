#!/bin/sh
# run.sh BUILD-DIR [short]: Table 1 and Figure 13 of the Prescient Memory paper beside what
# `stalemate hunt` finds in C programs after its rows, with stale values alone and with future
# values alone; see cells.sh. The model is oota, which is the paper's. Fails, too, if a witness does
# not replay or is not legal. short: fewer trials, the paper's figures only, no times.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
form=${2:-whole}
stalemate=$build/bin/stalemate
work=$build/reproduce/pm-$form
rm -rf "$work"
mkdir -p "$work"
cd "$work"
cells_dir=$work
. "$here/../cells.sh"
# The papers have trials alone, and no model checker that decides before.
by_trials=$("$stalemate" hunt --help | grep -o -e --no-exact | head -1)
trials=500
[ "$form" = whole ] || trials=60

# A file, because some of those who complain are in a subshell.
complain() {
    echo "  FAILED: $*" >&2
    touch failed
}

check_witnesses() { # OUT
    for witness in "$1"/witnesses/*.smw; do
        [ -e "$witness" ] || continue
        "$stalemate" check --quiet "$witness" || complain "$witness is not legal"
        got=0
        "$stalemate" replay --quiet "$witness" >replay.text 2>&1 </dev/null || got=$?
        [ $got -eq 1 ] || complain "$witness does not replay"
    done
}

# hunt PROGRAM LIES OPTIONS...: prints the worst, and looks at the witnesses.
hunt() {
    program=$1 lies=$2 got=0
    shift 2
    "$stalemate" hunt $by_trials --quiet --trials $trials --model oota "$@" --out "$program.$lies" \
        --json "$program.$lies.json" -- "./$program" >"$program.$lies.text" 2>&1 </dev/null || got=$?
    [ $got -le 1 ] || complain "hunt $* of $program: status $got, see $work/$program.$lies.text"
    check_witnesses "$program.$lies"
    awk -F '"' -v of="$lies" -f "$here/worst.awk" "$program.$lies.json"
}

# What a hunt finds, the program shows: in its output, its status or its end.
observable() { [ "$1" = none ] && echo n/a || echo yes; }

# per_cent JSON KEY: failures in per cent of trials, of the first two numbers after the key.
per_cent() {
    awk -F '[":, ]+' -v key="$2" '$2 == key { on = 1 }
        on && $2 == "trials" { trials = $3 }
        on && $2 == "failures" { printf "%.1f\n", trials ? 100 * $3 / trials : 0; exit }' "$1"
}

case $form in
short) grep '^figure' "$here/table1.txt" >rows ;;
*) grep -v '^#' "$here/table1.txt" >rows ;;
esac
: >found
table "Table 1, worst behaviour" "$here/differences.txt"
while read -r program row am am_seen pm pm_seen; do
    "$stalemate" cc -g -O1 -pthread -o "$program" "$here/programs/$program.c"
    stale=$(hunt "$program" stale --no-prescient --unfair)
    future=$(hunt "$program" future --prescient --heuristic sc)
    echo "$program $stale $future" >>found
    cell "$row" AM "$am" "$stale"
    cell "$row" "AM observable" "$am_seen" "$(observable "$stale")"
    cell "$row" PM "$pm" "$future"
    cell "$row" "PM observable" "$pm_seen" "$(observable "$future")"
done <rows
table_end

if [ "$form" = whole ]; then
    # Of the rows after real programs.
    count() { awk '$1 !~ /^figure/ && '"$1"' { n++ } END { print n + 0 }' found; }
    table "Section 8.2" "$here/differences.txt"
    cell bugs "by PM" 7 "$(count '$3 != "none"')"
    cell bugs "the same by AM" 4 "$(count '$3 != "none" && $2 == $3')"
    cell bugs "others by AM" 2 "$(count '$3 != "none" && $2 != "none" && $2 != $3')"
    cell bugs "not by AM" 1 "$(count '$3 != "none" && $2 == "none"')"
    cell bugs "by AM alone" 2 "$(count '$3 == "none" && $2 != "none"')"
    cell "lastBit per cent" AM 4.6 "$(per_cent last_bit.stale.json verdict)" rate
    cell "lastBit per cent" PM 2.0 "$(per_cent last_bit.future.json by_future)" rate
    table_end

    "$here/overhead.sh" "$build" >overhead
    set -- $(awk '$1 == "average" { gsub(/%/, ""); print $2, $3 }' overhead)
    table "Figure 13, overhead in per cent, mean" "$here/differences.txt"
    cell overhead AM 76 - near
    cell overhead PM-profiler 600 "$1" near
    cell overhead PM 390 "$2" near
    table_end
    cat overhead
fi
[ ! -e failed ] || { tables_end; exit 1; }
tables_end
