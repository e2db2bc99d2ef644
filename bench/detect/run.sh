#!/bin/sh
# run.sh BUILD [RUNS] [PROGRAM...] - the detect flavour beside ThreadSanitizer of the same clang,
# on the programs of this directory at -O2 and on two real ones (real.sh), all in one run. Each
# build of a program runs RUNS times (default 3), in turn, and its best counts: CPU seconds
# (user and system) and peak memory. Needs: clang with its ThreadSanitizer runtime, GNU time; for
# the real ones Debian's source packages, which are left out, with a word, where they are not to
# be had.
set -eu
build=$(cd "$1" && pwd) runs=${2:-3}
shift
[ $# -eq 0 ] || shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang=${STALEMATE_CLANG:-clang-19}

compiler() { # KIND
    case $1 in
    native) echo "$clang" ;;
    tsan) echo "$clang -g -fsanitize=thread" ;;
    detect) echo "$build/bin/stalemate cc --detect" ;;
    esac
}

. "$here/real.sh"

make_program() { # PROGRAM KIND: leaves a command that runs it in $work/PROGRAM.KIND
    if [ -e "$here/programs/$1.c" ]; then
        $(compiler "$2") -O2 "$here/programs/$1.c" -o "$work/$1.$2" -pthread -lm
    else
        "make_$1" "$2"
    fi
}

# seconds and KiB of one run; the output must be the native one's
measure() {
    /usr/bin/time -o "$work/time" -f '%U %S %M' "$work/$1" >"$work/output" 2>"$work/errors"
    if grep -q 'data race' "$work/errors" || ! cmp -s "$work/output" "$work/expected"; then
        echo "bench: $1 goes wrong:" >&2
        cat "$work/errors" >&2
        exit 1
    fi
    awk '{ print $1 + $2, $3 }' "$work/time" >>"$work/$1.times"
}

best() { # FILE: least seconds, least memory
    awk 'NR == 1 || $1 < s { s = $1 } NR == 1 || $2 < m { m = $2 } END { print s, m }' "$1"
}

[ $# -gt 0 ] || set -- $(cd "$here/programs" && ls -- *.c | sed "s,\.c$,,") $(real_programs)
for program; do
    echo "bench: $program" >&2
    for kind in native tsan detect; do
        make_program "$program" $kind
    done
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
    printf "%-12s %8s %8s %8s %10s   %8s %8s %8s %10s\n", "program", "native", "tsan", "detect",
           "of tsan\x27s", "native", "tsan", "detect", "of tsan\x27s"
}
{
    native = $2 > 0.005 ? $2 : 0.005
    time = $6 / $4; memory = $7 / $5
    printf "%-12s %7.2fs %7.2fs %7.2fs %10.2f   %5.0f MB %5.0f MB %5.0f MB %10.2f\n", $1, $2, $4,
           $6, time, $3 / 1024, $5 / 1024, $7 / 1024, memory
    times += log(time); memories += log(memory); slow += log($6 / native); n++
    if (time > worst) { worst = time; which = $1 }
    if (memory > heaviest) heaviest = memory
}
END {
    printf "geometric mean: time %.2f of ThreadSanitizer, memory %.2f; slowdown %.1f\n",
           exp(times / n), exp(memories / n), exp(slow / n)
    printf "worst: time %.2f (%s), memory %.2f\n", worst, which, heaviest
}' "$work/table"
