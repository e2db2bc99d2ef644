#!/bin/sh
# verify on programs of the literature and on the structures of tests/verify: executions, user
# seconds, executions a second, peak memory; beside them the executions and the rate of GenMC 0.11,
# as measured on a machine of the same kind (it is in no Debian package, so it cannot be run here
# beside us). Two programs have eight million executions, to show that memory does not grow with
# them. Then how time grows with the number of threads.
# Usage: run.sh BUILD-DIR
set -eu
build=$(cd "$1" && pwd)
cd "$(dirname "$0")"
structures=../../tests/verify/structures
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# measure SOURCE MODEL FLAGS...: "executions user-seconds kilobytes"
measure()
{
    source=$1 model=$2
    shift 2
    "$build/bin/stalemate-cc" -O1 -g -pthread "$@" "$source" -o "$out/program"
    /usr/bin/time -f '%U %M' -o "$out/time" "$build/bin/stalemate" verify --quiet --jobs 1 \
        --no-symmetry --model "$model" --out "$out" --json "$out/json" -- "$out/program" </dev/null
    echo "$(sed -n 's/^ *"executions": \([0-9]*\).*/\1/p' "$out/json") $(cat "$out/time")"
}

printf '%-20s %-5s %10s %8s %10s %4s | %10s %8s %6s\n' program model executions user/s rate MB \
    GenMC rate ratio
while read -r program model theirs rate flags; do
    source=programs/$program.c
    [ -f "$source" ] || source=$structures/$program.c
    # shellcheck disable=SC2086 # flags are words
    measure "$source" "$model" $flags |
        awk -v p="$program $flags" -v m="$model" -v t="$theirs" -v r="$rate" '{
        mine = $1 / ($2 > 0 ? $2 : 0.01)
        printf "%-20s %-5s %10d %8.2f %10d %4d | ", p, m, $1, $2, mine, $3 / 1024
        if (t == "-")
            printf "%10s %8s %6s\n", "-", "-", "-"
        else {
            printf "%10d %8d %6.1f%s\n", t, r, mine / r, $1 == t ? "" : "  NOT THE SAME"
            print mine / r >>ratios
        }
    }' ratios="$out/ratios"
done <<'TABLE'
fib_bench c11 525630 156000
fib_bench sc 218243 145000
casrot c11 182905 121000
lastzero c11 147456 17000
readers c11 65536 24000
indexer c11 4096 2200
lockinc c11 40320 16000
ainc c11 40320 29000
ticket c11 5040 5500 -DN=7
fib_bench c11 - - -DROUNDS=6
readers c11 - - -DN=23
cowrite c11 - -
ring c11 - -
rounds c11 - -
semaphore c11 - -
barrier c11 - -
readlock c11 - -
broadcast c11 - -
clh c11 - - -DN=8
mcs c11 - - -DN=5
seqlock c11 - - -DREADERS=4
treiber c11 - - -DPUSHERS=4
TABLE

awk '{ sum += log($1) } END { printf "\ngeometric mean of the ratios: %.1f\n", exp(sum / NR) }' \
    "$out/ratios"
printf 'growth: '
for n in 5 6 7 8 9; do
    measure programs/lockinc.c c11 "-DN=$n" |
        awk -v n="$n" '{ printf "%d threads %d in %.2f s, %d MB; ", n, $1, $2, $3 / 1024 }'
done
printf '(lockinc)\nstart: '
"$build/bin/stalemate-cc" -O1 -g -pthread -DN=1 programs/ainc.c -o "$out/program"
for i in 1 2 3; do
    /usr/bin/time -f '%e s' "$build/bin/stalemate" verify --quiet --out "$out" -- "$out/program" \
        </dev/null 2>&1 | tr '\n' ' '
done
echo
