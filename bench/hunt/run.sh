#!/bin/sh
# run.sh BUILD [RUNS] - time to the first witness, for each program of tests/hunt whose race is
# destructive: the median of so many hunts (20), each with a seed of its own and nothing
# remembered, from the start of the command until the witness is written: found, made small,
# placed on the ladder, checked. Beside it, for as long as that: the native program in a loop,
# and the program under ThreadSanitizer in a loop. compare.sh compares two builds.
set -eu
build=$(cd "$1" && pwd) runs=${2:-20}
here=$(cd "$(dirname "$0")" && pwd)
clang=${STALEMATE_CLANG:-clang-19}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
. "$here/first_witness.sh"

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

printf '%-22s %28s   %20s   %30s\n' '' 'first witness, seconds' 'native, that long' 'TSan, that long'
printf '%-22s %6s %8s %6s %5s   %11s %8s   %6s %14s %8s\n' program median least most found \
    runs failing runs 'race reported' failing
for source in $(destructive "$here/../../tests/hunt/programs"); do
    name=$(basename "$source")
    name=${name%.*}
    language "$source"
    compile "$source" "$name" "$build/bin/stalemate" $language
    compile "$source" "$name.native" "$clang"
    compile "$source" "$name.tsan" "$clang" -fsanitize=thread
    seed=1
    : >times
    while [ $seed -le "$runs" ]; do
        first_witness "$build/bin/stalemate" "./$name" $((seed * 1000)) >>times
        seed=$((seed + 1))
    done
    set -- $(median times)
    native=$(loop "$1" "$name.native")
    tsan=$(loop "$1" "$name.tsan")
    echo "$name $1 $2 $3 $4/$runs $native $tsan" | awk '{
        printf "%-22s %6.2f %8.2f %6.2f %5s   %11d %8d   %6d %14d %8d\n", $1, $2 / 1000, $3 / 1000,
               $4 / 1000, $5, $6, $7, $9, $11, $10 }'
done
