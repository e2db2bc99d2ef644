#!/bin/bash
# verify of eight million executions by workers that share a directory: by 1, 2 and 4 workers, and
# by 4 of which two are killed with SIGKILL and replaced. Prints executions (they must be equal) and
# processor seconds, those of the killed included, with the ratio to one worker of the same round:
# three rounds (RUNS), since what else the machine does costs processor time too.
# Usage: parcels.sh BUILD-DIR [PROGRAM...]   treiber, fib_bench (default: both)
set -eu
build=$(cd "$1" && pwd)
cd "$(dirname "$0")"
shift
[ $# -gt 0 ] || set -- fib_bench treiber
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"${CC:-clang-19}" -O1 -D_GNU_SOURCE total.c -o "$out/total"

# work WORKERS KILLED: all of it; each worker leaves its number of executions in $out/n.
cat >"$out/work" <<'END'
workers=$1 killed=$2
start() {
    "$build/bin/stalemate" verify --quiet --jobs 1 --model c11 --out "$out/out.$1" \
        --json "$out/json.$1" --parcels "$out/parcels" -- "$out/program" </dev/null &
}
rm -rf "$out"/parcels "$out"/json.*
for i in $(seq "$workers"); do
    start "$i"
    pids[i]=$!
done
for i in $(seq "$killed"); do
    sleep 2
    kill -9 "${pids[i]}"
    start $((workers + i))
done
wait
sed -n 's/^ *"executions": \([0-9]*\).*/\1/p' "$out"/json.* | sort | uniq -c |
    awk '{ printf "%s%d executions, said by %d workers", n++ ? "; NOT THE SAME: " : "", $2, $1 }' >"$out/n"
END
export build out

for program; do
    case $program in
    treiber) source=../../tests/verify/structures/treiber.c flags=-DPUSHERS=5 ;;
    *) source=programs/$program.c flags=-DROUNDS=6 ;;
    esac
    "$build/bin/stalemate-cc" -O1 -g -pthread $flags "$source" -o "$out/program"
    for workers in $(seq "${RUNS:-3}" | sed 's/.*/1,0 2,0 4,0 4,2/'); do
        cpu=$("$out/total" bash "$out/work" "${workers%,*}" "${workers#*,}" 2>/dev/null)
        [ "$workers" != "1,0" ] || one=$cpu
        awk -v p="$program $flags" -v w="${workers%,*}" -v k="${workers#*,}" -v c="$cpu" -v o="$one" \
            -v n="$(cat "$out/n")" 'BEGIN {
            printf "%-20s %d workers, %d killed: %s; %.2f s of processor, %.2f of one\n", p, w, k, n, c,
                c / o }'
    done
done
