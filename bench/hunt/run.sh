#!/bin/sh
# run.sh BUILD [RUNS] - time to the first witness, for each program of tests/hunt whose race is
# destructive: the median of so many hunts (20), each with a seed of its own and nothing
# remembered, from the start of the command until the witness is written: found, made small,
# placed on the ladder, checked. Beside it, for as long as that: the native program in a loop,
# and the program under ThreadSanitizer in a loop.
set -eu
build=$(cd "$1" && pwd) runs=${2:-20}
programs=$(cd "$(dirname "$0")/../../tests/hunt/programs" && pwd)
clang=${STALEMATE_CLANG:-clang-19}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset STALEMATE_OPTIONS

now() { # milliseconds
    echo $(($(date +%s%N) / 1000000))
}

# first_witness PROGRAM SEED: milliseconds; nothing is printed if there is no witness.
first_witness() {
    rm -rf out
    start=$(now)
    env --default-signal=INT "$build/bin/stalemate" hunt --quiet --seed "$2" --out out -- \
        "./$1" >/dev/null 2>&1 </dev/null &
    hunt=$!
    until ls out/witnesses/*.smw >/dev/null 2>&1; do
        kill -0 $hunt 2>/dev/null || break
        sleep 0.005
    done
    end=$(now)
    kill -INT $hunt 2>/dev/null || true
    wait $hunt 2>/dev/null || true
    ! ls out/witnesses/*.smw >/dev/null 2>&1 || echo $((end - start))
}

# loop MILLISECONDS PROGRAM: runs, those that fail or print something else, those with a report.
loop() {
    n=0 failed=0 reported=0 stop=$(($(now) + $1))
    while :; do
        status=0
        timeout 10 "./$2" >output 2>errors </dev/null || status=$?
        [ $n -gt 0 ] || cp output first
        if grep -q 'WARNING: ThreadSanitizer' errors; then
            reported=$((reported + 1))
            [ $status -ne 66 ] || status=0 # TSan's own
        fi
        [ $status -eq 0 ] && cmp -s output first || failed=$((failed + 1))
        n=$((n + 1))
        [ "$(now)" -lt "$stop" ] || break
    done
    echo "$n $failed $reported"
}

compile() { # SOURCE OUTPUT COMMAND...
    source=$1 output=$2
    shift 2
    "$@" -g -O1 -pthread -o "$output" "$source" -lm $library
}

printf '%-22s %28s   %20s   %30s\n' '' 'first witness, seconds' 'native, that long' 'TSan, that long'
printf '%-22s %6s %8s %6s %5s   %11s %8s   %6s %14s %8s\n' program median least most found \
    runs failing runs 'race reported' failing
for source in "$programs"/*.c*; do
    grep -q '^ \* hunt: .* destructive' "$source" || continue
    name=$(basename "$source")
    name=${name%.*}
    case $source in
    *.cpp) language=c++ library=-lstdc++ ;;
    *) language=cc library= ;;
    esac
    compile "$source" "$name" "$build/bin/stalemate" $language
    compile "$source" "$name.native" "$clang"
    compile "$source" "$name.tsan" "$clang" -fsanitize=thread
    seed=1
    : >times
    while [ $seed -le "$runs" ]; do
        first_witness "$name" $((seed * 1000)) >>times
        seed=$((seed + 1))
    done
    set -- $(sort -n times | awk '{ t[NR] = $1 }
        END { print NR ? t[int((NR + 1) / 2)] : 0, NR ? t[1] : 0, NR ? t[NR] : 0, NR }')
    native=$(loop "$1" "$name.native")
    tsan=$(loop "$1" "$name.tsan")
    echo "$name $1 $2 $3 $4/$runs $native $tsan" | awk '{
        printf "%-22s %6.2f %8.2f %6.2f %5s   %11d %8d   %6d %14d %8d\n", $1, $2 / 1000, $3 / 1000,
               $4 / 1000, $5, $6, $7, $9, $11, $10 }'
done
