#!/bin/sh
# run.sh BUILD [RUNS] [PROGRAM...] - the detect flavour beside ThreadSanitizer of the same clang,
# on the programs of this directory at -O2 and on real ones (real.sh), all in one run. Each
# build of a program runs RUNS times (default 3), in turn, and its best counts: CPU seconds
# (user and system) and peak memory. A program that prints something else than its native build,
# or a report, gets no row, and the exit status is 1. Needs: clang with its ThreadSanitizer
# runtime, GNU time; for the real ones Debian's source packages, which are left out, with a note,
# where they cannot be fetched.
set -eu
build=$(cd "$1" && pwd) runs=${2:-3}
shift
[ $# -eq 0 ] || shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang=${STALEMATE_CLANG:-clang-19}
status=0

compiler() { # KIND
    case $1 in
    native) echo "$clang" ;;
    tsan) echo "$clang -g -fsanitize=thread" ;;
    detect) echo "$build/bin/stalemate cc --detect" ;;
    esac
}

cxx_compiler() { # KIND
    case $1 in
    detect) echo "$build/bin/stalemate c++ --detect" ;;
    *) compiler "$1" | sed "s,^$clang,&++," | sed 's,clang\(-[0-9]*\)++,clang++\1,' ;;
    esac
}

. "$here/real.sh"

make_program() { # PROGRAM KIND: leaves a command that runs it in $work/PROGRAM.KIND
    if [ -e "$here/programs/$1.c" ]; then
        $(compiler "$2") -O2 "$here/programs/$1.c" -o "$work/$1.$2" -pthread -lm
    elif [ -e "$here/programs/$1.cpp" ]; then
        $(cxx_compiler "$2") -std=c++17 -O2 "$here/programs/$1.cpp" -o "$work/$1.$2" -pthread
    else
        "make_$1" "$2"
    fi
}

# measure PROGRAM KIND: CPU seconds and KiB of one run; the output must be the native one's.
measure() {
    code=0
    /usr/bin/time -q -o "$work/time" -f '%U %S %M' "$work/$1.$2" >"$work/output" \
        2>"$work/errors" || code=$?
    if [ $code -ne 0 ] || grep -q 'data race' "$work/errors" ||
        ! cmp -s "$work/output" "$work/$1.expected"; then
        echo "bench: $1 goes wrong under $2 (status $code):" >&2
        head -n 40 "$work/errors" >&2
        return 1
    fi
    awk '{ print $1 + $2, $3 }' "$work/time" >>"$work/$1.$2.times"
}

measure_all() { # PROGRAM: every kind in turn, so that a busy moment falls on all
    "$work/$1.native" >"$work/$1.expected"
    i=0
    while [ "$i" -lt "$runs" ]; do
        for kind in native tsan detect; do
            measure "$1" $kind || return 1
        done
        i=$((i + 1))
    done
}

best() { # FILE: least seconds, least memory
    awk 'NR == 1 || $1 < s { s = $1 } NR == 1 || $2 < m { m = $2 } END { print s, m }' "$1"
}

[ $# -gt 0 ] || set -- $(cd "$here/programs" && ls -- *.c *.cpp | sed 's,\.c[p]*$,,') $(real_programs)
: >"$work/table"
for program; do
    echo "bench: $program" >&2
    for kind in native tsan detect; do
        make_program "$program" $kind
    done
    if ! measure_all "$program"; then
        status=1
        continue
    fi
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
    time[$1] = $6 / ($4 > 0.005 ? $4 : 0.005); memory[$1] = $7 / $5
    printf "%-12s %7.2fs %7.2fs %7.2fs %10.2f   %5.0f MB %5.0f MB %5.0f MB %10.2f\n", $1, $2, $4,
           $6, time[$1], $3 / 1024, $5 / 1024, $7 / 1024, memory[$1]
    times += log(time[$1]); memories += log(memory[$1]); slow += log($6 / native); n++
}
function worst(what, ratios,    i, name, top, gone) {
    printf "worst in %s:", what
    for (i = 0; i < 3 && i < n; i++) {
        top = ""
        for (name in ratios)
            if (!(name in gone) && (top == "" || ratios[name] > ratios[top]))
                top = name
        gone[top] = 1
        printf "%s %s %.2f", i ? "," : "", top, ratios[top]
    }
    printf "\n"
}
END {
    if (!n)
        exit
    printf "geometric mean of %d: time %.2f of ThreadSanitizer, memory %.2f; slowdown %.1f\n",
           n, exp(times / n), exp(memories / n), exp(slow / n)
    worst("time", time)
    worst("memory", memory)
}' "$work/table"
exit $status
