#!/bin/sh
# figure10.sh BUILD-DIR: prints Figure 10 of the Jumble paper beside ours: what it costs to keep
# the history of one racy variable, with the heuristic that does not lie. Programs are built
# with -DLONG_RUN (scale.h). Times are CPU seconds on one core, less those of a program that
# does nothing; the controlled one runs its threads one after the other, since the paper's
# Jumble schedules nothing. Of arrays elements 0 and 1 are watched, as in the paper.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
stalemate=$1/bin/stalemate
work=$1/jumble/figure10
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# cpu COMMAND...: CPU seconds, the best of three.
cpu() {
    ./cpu_seconds time taskset -c 0 "$@" >output 2>&1 </dev/null
    cat time
}

# controlled VARIABLE PROGRAM
controlled() {
    cpu "$stalemate" run --model hb --heuristic sc --schedule pct --pct-depth 1 --verbose \
        --sample 2 --watch "$1" -- "./$2"
}

# counted WORDS: what the last run counted under this name.
counted() {
    awk -v words="$1" '{ n = $1; $1 = ""; if ($0 == " " words) found = n } END { print found + 0 }' \
        output
}

make_program() { # SOURCE NAME
    "${STALEMATE_CLANG:-clang-19}" -O1 -pthread -DLONG_RUN -o "$2.native" "$1" -lm
    "$stalemate" cc -g -O1 -pthread -DLONG_RUN -o "$2" "$1" -lm
}

"${STALEMATE_CLANG:-clang-19}" -O1 -o cpu_seconds "$here/tools/cpu_seconds.c"
echo 'int main(void) { return 0; }' >nothing.c
make_program nothing.c nothing
native_start=$(cpu ./nothing.native)
start=$(controlled none nothing)

echo "What histories cost and hold, the paper's / ours"
printf '%-26s %8s %9s %11s %11s %14s %15s %12s\n' row native slowdown empty instances writes \
    'longest whole' compressed
grep -v '^#' "$here/figure10.txt" >rows
: >slowdowns
while read -r program variable row p_slow p_instances p_writes p_whole p_longest; do
    [ -e "$program" ] || make_program "$here/$program.c" "$program"
    native=$(cpu "./$program.native")
    empty=$(controlled none "$program")
    ours=$(controlled "$variable" "$program")
    set -- $(awk -v n="$native" -v o="$ours" -v e="$empty" -v s="$start" -v t="$native_start" \
        'BEGIN { n -= t; printf "%.4f %.1f %.1f\n", n, (o - s) / n,
                 (e - s) / n }')
    echo "$2" >>slowdowns
    printf '%-26s %7ss %9s %11s %11s %14s %15s %12s\n' "$row" "$1" "$p_slow/$2" "$3" \
        "$p_instances/$(counted 'locations with a history')" \
        "$p_writes/$(counted 'stores to locations with a history')" \
        "$p_whole/$(counted 'most stores made to one location')" \
        "$p_longest/$(counted 'most stores remembered for one location')"
    printf '%-26s dropped by GC1 %s, by GC2 %s, by REMOVE OLDEST %s\n' '' \
        "$(counted 'history entries dropped by GC1')" \
        "$(counted 'history entries dropped by GC2')" \
        "$(counted 'history entries dropped by REMOVE OLDEST')"
done <rows
awk '{ sum += log($1 < 0.1 ? 0.1 : $1); n++ }
    END { printf "slowdown, geometric mean: %.2f\n", exp(sum / n) }' slowdowns
