#!/bin/sh
# run.sh BUILD-DIR: what the engine costs, each figure beside a bare one taken in the same run.
# Everything is pinned to one core, as a controlled execution runs one thread at a time.
set -eu
build=$(cd "$1" && pwd)
stalemate=$build/bin/stalemate
programs=$build/bench/engine
scratch=$programs/scratch
mkdir -p "$scratch"
core=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
pin="taskset -c $core"

# json KEY: a number of the last run.
json() {
    sed -n "s/.*\"$1\": *\([0-9.]*\).*/\1/p" "$scratch/run.json" | head -n 1
}

# points CARRIER ROUNDS: prints "seconds events" of one run of pingpong.
points() {
    $pin "$stalemate" run --quiet --carrier "$1" --schedule rr --json "$scratch/run.json" -- \
        "$programs/pingpong" "$2"
    echo "$(json seconds) $(json events)"
}

# seconds COMMAND...: wall-clock seconds, the best of three. Its output goes to a file.
seconds() {
    for _ in 1 2 3; do
        start=$(date +%s%N)
        $pin "$@" >"$scratch/output"
        end=$(date +%s%N)
        echo $((end - start))
    done | sort -n | head -n 1 | awk '{ printf "%.3f", $1 / 1e9 }'
}

$pin "$programs/engine-bare" >"$scratch/bare"
bare() {
    awk -v name="$1" '$1 == name { print $2 }' "$scratch/bare"
}

echo "One scheduling point (two threads, round robin), in nanoseconds"
printf '%-10s %10s %22s %22s\n' carrier point "futex hand-over" "switch of stacks"
for carrier in fiber thread; do
    # A short run takes away the cost of starting and ending.
    short=$(points $carrier 1000)
    long=$(points $carrier 101000)
    echo "$short $long $carrier $(bare futex) $(bare switch)" | awk '{
        point = ($3 - $1) * 1e9 / ($4 - $2)
        printf "%-10s %10.0f %10.0f (%7.2f x) %10.1f (%7.2f x)\n",
            $5, point, $6, point / $6, $7, point / $7 }'
done

echo
echo "Executions of a two-thread program, a second"
printf '%-10s %-10s %10s %10s %22s\n' by carrier events executions "bare fork and wait"
for case in "fork fiber 2000" "fork thread 2000" "restart fiber 100000"; do
    set -- $case
    $pin "$programs/engine-executions" "$1" "$3" --carrier "$2" -- "$programs/tiny" |
        awk -v way="$1" -v carrier="$2" -v fork="$(bare fork)" '{
            printf "%-10s %-10s %10d %10.0f %10.0f (%7.2f x)\n",
                way, carrier, $2, 1e9 / $1, 1e9 / fork, fork / $1 }'
done

echo
echo "Controlled run with nothing watched, against native at the same -O2, in seconds"
printf '%-10s %10s %12s %10s\n' program native controlled slowdown
for program in crc hashmap lu mandelbrot matmul nbody sor sort; do
    native=$(seconds "$programs/$program.native")
    cp "$scratch/output" "$scratch/expected"
    controlled=$(seconds "$stalemate" run --quiet --watch none -- "$programs/$program")
    cmp "$scratch/output" "$scratch/expected" || { echo "run: $program gave another result" >&2; exit 1; }
    echo "$program $native $controlled"
done | awk '{
    printf "%-10s %10.3f %12.3f %8.2f x\n", $1, $2, $3, $3 / $2
    sum += log($3 / $2); n++ }
    END { printf "%-10s %10s %12s %8.2f x\n", "geo. mean", "", "", exp(sum / n) }'
