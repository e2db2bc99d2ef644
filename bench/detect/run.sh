#!/bin/sh
# run.sh BUILD [RUNS] - the detect flavour beside ThreadSanitizer of the same clang, on the
# programs of this directory at -O2, all in one run. Each build of a program runs RUNS times
# (default 3), in turn, and its best counts: CPU seconds (user and system) and peak memory.
# Needs: clang with its ThreadSanitizer runtime, GNU time.
set -eu
build=$1 runs=${2:-3}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang=${STALEMATE_CLANG:-clang-19}

make_program() {
    "$clang" -O2 "$here/programs/$1.c" -o "$work/$1.native" -pthread -lm
    "$clang" -O2 -g -fsanitize=thread "$here/programs/$1.c" -o "$work/$1.tsan" -pthread -lm
    "$build/bin/stalemate" cc --detect -O2 "$here/programs/$1.c" -o "$work/$1.detect" -pthread -lm
}

# seconds and KiB of one run; the output must be the native one's
measure() {
    /usr/bin/time -o "$work/time" -f '%U %S %M' "$work/$1" >"$work/output" 2>"$work/errors"
    if grep -q 'data race' "$work/errors" || ! cmp -s "$work/output" "$work/expected"; then
        echo "bench: $1 goes wrong; run it: $work/$1" >&2
        exit 1
    fi
    awk '{ print $1 + $2, $3 }' "$work/time" >>"$work/$1.times"
}

best() { # FILE: least seconds, least memory
    awk 'NR == 1 || $1 < s { s = $1 } NR == 1 || $2 < m { m = $2 } END { print s, m }' "$1"
}

programs=$(cd "$here/programs" && ls -- *.c | sed "s,\.c$,,")
for program in $programs; do
    make_program "$program"
    "$work/$program.native" >"$work/expected"
    i=0
    while [ "$i" -lt "$runs" ]; do
        for kind in native tsan detect; do
            measure "$program.$kind"
        done
        i=$((i + 1))
    done
    echo "$program $(best "$work/$program.native.times") $(best "$work/$program.tsan.times")" \
        "$(best "$work/$program.detect.times")" >>"$work/table"
done

awk '
BEGIN {
    printf "%-12s %8s %8s %8s  %12s %12s\n", "program", "native", "tsan", "detect",
           "time/tsan", "memory/tsan"
}
{
    native = $2 > 0.005 ? $2 : 0.005
    time = $6 / $4; memory = $7 / $5
    printf "%-12s %7.2fs %7.2fs %7.2fs  %12.2f %12.2f\n", $1, $2, $4, $6, time, memory
    times += log(time); memories += log(memory); slow += log($6 / native); n++
    if (time > worst) { worst = time; which = $1 }
    if (memory > heaviest) heaviest = memory
}
END {
    printf "geometric mean: time %.2f of ThreadSanitizer, memory %.2f; slowdown %.1f\n",
           exp(times / n), exp(memories / n), exp(slow / n)
    printf "worst: time %.2f (%s), memory %.2f\n", worst, which, heaviest
}' "$work/table"
