#!/bin/bash
# compare.sh BUILD OTHER-BUILD [RUNS] [PROGRAM...] - the cost of the detect flavour of two builds, each
# with programs of its own compiler, on the programs of this directory. The builds take turns; the
# best of RUNS (5) counts, in instructions or seconds (cost.sh). A program that prints something else
# under the two gets no row, and the exit status is 1.
set -eu
new=$(cd "$1" && pwd)/bin/stalemate other=$(cd "$2" && pwd)/bin/stalemate runs=${3:-5}
shift $(($# < 3 ? $# : 3))
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
. "$here/../cost.sh"
counts=false # instructions would leave out the cache misses that most of the time goes into

compile() { # STALEMATE SOURCE OUTPUT
    case $2 in
    *.cpp) "$1-c++" --detect -O2 -std=c++17 -pthread -o "$3" "$2" ;;
    *) "$1-cc" --detect -O2 -pthread -o "$3" "$2" -lm ;;
    esac
}

measure() {
    local build
    rm -f cost.new cost.other
    for _ in $(seq "$runs"); do
        for build in new other; do
            cost "cost.$build" "./program.$build" || return 1
            mv output "output.$build"
        done
    done
    cmp -s output.new output.other
}

printf '%-12s %10s %10s %6s\n' program new other ratio
for source in "$here"/programs/*.c "$here"/programs/*.cpp; do
    program=$(basename "$source")
    program=${program%.*}
    [ $# -eq 0 ] || [[ " $* " == *" $program "* ]] || continue
    for build in new other; do
        compile "${!build}" "$source" program.$build
    done
    if measure; then
        echo "$program $(best cost.new) $(best cost.other)"
    else
        echo "compare: $program goes wrong, or prints something else:" >&2
        head -n 20 errors >&2
        touch wrong
    fi
done | awk '{
    ratio = $2 / ($3 > 0 ? $3 : 0.001)
    printf "%-12s %10.3f %10.3f %6.3f\n", $1, $2, $3, ratio
    fflush()
    sum += log(ratio); n++
}
END { if (n) printf "%d programs, geometric mean of the ratios %.3f\n", n, exp(sum / n) }'
[ ! -e wrong ]
