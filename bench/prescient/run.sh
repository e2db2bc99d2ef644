#!/bin/sh
# run.sh BUILD-DIR: prints Table 1 of the Prescient Memory paper beside what `stalemate hunt`
# finds in C programs after its rows: with stale values alone, with values from the future alone,
# and with both. Fails if in some row the paper's worst behaviour is worse than ours, if in
# Figures 3, 6 and 7 anything is found, or if a witness does not replay or is not legal.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
stalemate=$build/bin/stalemate
work=$build/prescient
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# A file, because some of those who complain are in a subshell.
complain() {
    echo "  FAILED: $*" >&2
    touch failed
}

# rank BEHAVIOUR: how bad it is. The paper calls corruption more destructive than a program that
# does not end.
rank() {
    case $1 in
    -) echo 0 ;;
    slow) echo 1 ;;
    hang) echo 2 ;;
    corruption) echo 3 ;;
    *) echo 4 ;;
    esac
}

# worst JSON: the worst that a hunt has found.
worst() {
    awk -F '"' '
        $2 == "verdict" && $4 == "qos" && most < 1 {most = 1; word = "slow"}
        $2 == "kind" {
            rank = $4 == "assert" || $4 == "signal" ? 4 : $4 == "hang" || $4 == "deadlock" ? 2 : \
                   $4 == "output" || $4 == "exit" || $4 == "oracle" ? 3 : 0
            if (rank > most) {
                most = rank
                word = $4 == "assert" ? "assertion" : $4 == "signal" ? "crash" : \
                       rank == 2 ? "hang" : "corruption"
            }
        }
        END{print word ? word : "-"}' "$1"
}

# hunt PROGRAM WAY OPTIONS...: prints the worst, and looks at the witnesses.
hunt() {
    program=$1 way=$2 got=0
    shift 2
    "$stalemate" hunt --quiet --trials "${TRIALS:-200}" "$@" --out "$program.$way" \
        --json "$program.$way.json" -- "./$program" >"$program.$way.text" 2>&1 </dev/null || got=$?
    [ $got -le 1 ] || complain "hunt $* of $program: status $got, see $work/$program.$way.text"
    for witness in "$program.$way"/witnesses/*.smw; do
        [ -e "$witness" ] || continue
        "$stalemate" check --quiet "$witness" || complain "$witness is not legal"
        got=0
        "$stalemate" replay --quiet "$witness" >replay.text 2>&1 </dev/null || got=$?
        [ $got -eq 1 ] || complain "$witness does not replay"
    done
    worst "$program.$way.json"
}

# compare ROW WAY THEIRS OURS
compare() {
    [ "$(rank "$4")" -ge "$(rank "$3")" ] || complain "$1, $2: the paper has $3, we have $4"
}

for source in "$here"/programs/*.c; do
    "$stalemate" cc -g -O1 -pthread -o "$(basename "$source" .c)" "$source"
done

echo "Worst behaviour, the paper's / ours"
printf '%-26s %-24s %-24s %s\n' row stale future both
grep -v '^#' "$here/table1.txt" >rows
while read -r program row am pm; do
    stale=$(hunt "$program" stale --no-prescient --unfair)
    future=$(hunt "$program" future --prescient --heuristic sc)
    both=$(hunt "$program" both --prescient --unfair)
    printf '%-26s %-24s %-24s %s\n' "$row" "$am / $stale" "$pm / $future" "$both"
    compare "$row" stale "$am" "$stale"
    compare "$row" future "$pm" "$future"
    compare "$row" both "$am" "$both"
    compare "$row" both "$pm" "$both"
    case $program in
    figure3 | figure6 | figure7)
        [ "$stale$future$both" = "---" ] || complain "$row: there is nothing to be found"
        ;;
    esac
done <rows
[ ! -e failed ]
