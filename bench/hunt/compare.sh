#!/bin/sh
# compare.sh BUILD OTHER-BUILD [RUNS] - the time to the first witness of two builds, for each program
# of tests/hunt whose race is destructive: the median of so many hunts (5) with the same seeds, in
# turns, so that what else the machine does is the same for both; and the geometric mean of the
# ratios.
set -eu
new=$(cd "$1" && pwd)/bin/stalemate other=$(cd "$2" && pwd)/bin/stalemate runs=${3:-5}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
. "$here/first_witness.sh"

printf '%-22s %8s %8s %8s %8s %6s\n' program seconds found other found ratio
for source in $(destructive "$here/../../tests/hunt/programs"); do
    name=$(basename "$source")
    name=${name%.*}
    language "$source"
    compile "$source" "$name.new" "$new" $language
    compile "$source" "$name.other" "$other" $language
    seed=1
    : >new.times
    : >other.times
    while [ $seed -le "$runs" ]; do
        first_witness "$new" "./$name.new" $((seed * 1000)) >>new.times
        first_witness "$other" "./$name.other" $((seed * 1000)) >>other.times
        seed=$((seed + 1))
    done
    echo "$name $(median new.times) $(median other.times)"
done | awk '{
    ratio = $6 ? $2 / $6 : 0
    printf "%-22s %8.3f %8d %8.3f %8d %6.2f\n", $1, $2 / 1000, $5, $6 / 1000, $9, ratio
    if (ratio) { sum += log(ratio); n++ }
}
END { printf "%d programs, geometric mean of the ratios %.3f\n", n, exp(sum / n) }'
