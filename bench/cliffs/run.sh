#!/bin/sh
# run.sh BUILD [RUNS] [CLASS...] - a matrix of small loops, each under the detect flavour and under
# ThreadSanitizer of the same clang, at -O2 in one run. Classes: access share atomics memory
# containers, and compile (time, memory and object size of compiling; see compile.sh). All by
# default. How often a cell's loop runs is chosen so that ThreadSanitizer takes about SECONDS
# (0.06); the best of RUNS (3) counts, in CPU seconds without start-up. Prints every cell as soon as
# it is measured; in the end the geometric mean of each class and of all, and the worst ten, with
# perf their hottest functions.
# A report in any cell makes it fail: all are race-free.
set -eu
build=$(cd "$1" && pwd) runs=${2:-3}
shift
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- access share atomics memory containers compile
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang=${STALEMATE_CLANG:-clang-19}
seconds=${SECONDS_PER_CELL:-0.06}
status=0

# make_class CLASS: $work/CLASS.tsan and $work/CLASS.detect
make_class() {
    if [ -e "$here/$1.c" ]; then
        source=$here/$1.c tsan=$clang detect=cc std=-std=gnu17
    else
        source=$here/$1.cpp tsan=$(echo "$clang" | sed 's,clang,clang++,') detect=c++ std=-std=c++17
    fi
    "$tsan" $std -g -O2 -fsanitize=thread -pthread "$source" -o "$work/$1.tsan"
    "$build/bin/stalemate" $detect --detect $std -g -O2 -pthread "$source" -o "$work/$1.detect"
}

# measure CLASS KIND CELL ROUNDS: seconds, appended to $work/KIND
measure() {
    if timeout 120 "$work/$1.$2" "$3" "$4" >>"$work/$2" 2>"$work/errors" &&
        ! grep -q 'data race' "$work/errors"; then
        return 0
    fi
    echo "bench: $3 goes wrong under $2:" >&2
    head -n 30 "$work/errors" >&2
    return 1
}

# measure_cell CLASS CELL: a row of $work/table: class, cell, rounds, seconds of both
measure_cell() {
    rounds=$("$work/$1.tsan" calibrate "$2" "$seconds")
    : >"$work/tsan"
    : >"$work/detect"
    i=0
    while [ "$i" -lt "$runs" ]; do
        measure "$1" tsan "$2" "$rounds" || return 1
        measure "$1" detect "$2" "$rounds" || return 1
        i=$((i + 1))
    done
    echo "$1 $2 $rounds $(sort -g "$work/tsan" | head -n 1) $(sort -g "$work/detect" | head -n 1)" |
        tee -a "$work/table" |
        awk '{ printf "%-46s %9.1f ns %9.1f ns %6.2f\n", $2, $4 / $3 * 1e9, $5 / $3 * 1e9, $5 / $4 }'
}

# hottest CLASS CELL ROUNDS: three functions of the detect build
hottest() {
    perf record -q -e cpu-clock -o "$work/perf" "$work/$1.detect" "$2" "$3" \
        >/dev/null 2>&1 || return 0
    perf report -i "$work/perf" --stdio --no-children -q -F overhead,sym 2>/dev/null |
        awk 'NF && n < 3 { sub(/\[[.k]\] /, ""); sub(/^ +/, ""); sub(/ +$/, "")
                           printf "%s%s", n++ ? ", " : "    ", $0 } END { if (n) print "" }'
}

: >"$work/table"
[ "$*" = compile ] || printf '%-46s %12s %12s %6s\n' "cell (of a round)" tsan detect ratio
for class; do
    [ "$class" != compile ] || continue
    make_class "$class"
    "$work/$class.tsan" list >"$work/cells"
    echo "bench: $class, $(wc -l <"$work/cells") cells" >&2
    while read -r cell; do
        measure_cell "$class" "$cell" || status=1
    done <"$work/cells"
done

if [ -s "$work/table" ]; then
    awk '{ class[$1] += log(ratio = $5 / $4); n[$1]++; all += log(ratio); over += ratio > 1 }
         END { for (c in class)
                   printf "%s: %d cells, geometric mean %.2f\n", c, n[c], exp(class[c] / n[c])
               printf "%d cells, geometric mean %.2f of ThreadSanitizer, %d above 1.00\n", NR,
                      exp(all / NR), over }' "$work/table"
    echo "the worst ten:"
    awk '{ print $5 / $4, $0 }' "$work/table" | sort -gr | head -n 10 |
        while read -r ratio class cell rounds _; do
            printf '%6.2f  %s\n' "$ratio" "$cell"
            hottest "$class" "$cell" "$rounds"
        done
fi
for class; do
    [ "$class" != compile ] || "$here/compile.sh" "$build"
done
exit $status
