#!/bin/bash
# compare.sh BUILD OTHER-BUILD [RUNS] [PROGRAM...] - the cost of controlled execution of two builds,
# each with programs of its own compiler: `stalemate run` and `stalemate detect` of one execution,
# on the programs of bench/detect/programs with small sizes and on those of control/. The builds
# take turns, so that what else the machine does is the same for both; the best of RUNS (5) counts,
# in instructions or seconds (cost.sh).
# A program that prints something else under the two builds gets no row, and the exit status is 1.
set -eu
new=$(cd "$1" && pwd)/bin/stalemate other=$(cd "$2" && pwd)/bin/stalemate runs=${3:-5}
shift $(($# < 3 ? $# : 3))
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
. "$here/../cost.sh"
unset STALEMATE_OPTIONS
status=0

# 3 to 5 million events each; bfs and mesh make 20 million before they begin.
programs='btree 12000 cg 0 channel 25000 deque 500000 futures 40000 hashmap 80000 lru 12000 lu 140
lz 6 moldyn 160 montecarlo 500 parser 1500 pipeline 700 raytrace 64 ring 25000 slab 600 sor 80
stealing 10 strings 700 tsp 10 video 1
alone 1000 blocks 240000 locks 300000 malloc 2000000'

compile() { # STALEMATE PROGRAM OUTPUT
    if [ -e "$here/../detect/programs/$2.cpp" ]; then
        "$1-c++" -O2 -g -std=c++17 -pthread -o "$3" "$here/../detect/programs/$2.cpp"
    else
        local source=$here/control/$2.c
        [ -e "$source" ] || source=$here/../detect/programs/$2.c
        "$1-cc" -O2 -g -pthread -o "$3" "$source" -lm
    fi
}

measure() { # PROGRAM SIZE
    for _ in $(seq "$runs"); do
        for command in 'run' 'detect --trials 1 --jobs 1'; do
            for build in new other; do
                # shellcheck disable=SC2086 # the command is words
                cost "$1.$build.${command%% *}" "${!build}" $command --quiet --out out -- \
                    "./$1.$build" "$2" || return 1
                [ "${command%% *}" != run ] || cp output "$1.$build.output"
            done
        done
    done
    cmp -s "$1.new.output" "$1.other.output"
}

printf '%-12s %10s %10s %6s   %10s %10s %6s\n' program run other ratio detect other ratio
while read -r program size; do
    [ $# -eq 0 ] || [[ " $* " == *" $program "* ]] || continue
    compile "$new" "$program" "$program.new"
    compile "$other" "$program" "$program.other"
    if measure "$program" "$size"; then
        echo "$program $(best "$program.new.run") $(best "$program.other.run")" \
            "$(best "$program.new.detect") $(best "$program.other.detect")"
    else
        echo "compare: $program goes wrong, or prints something else:" >&2
        head -n 20 errors >&2
        touch wrong
    fi
done < <(echo "$programs" | xargs -n 2) | awk -v form="$(cost_form)" '{
    printf "%-12s " form " " form " %6.3f   " form " " form " %6.3f\n", $1, $2, $3, $2 / $3, $4,
           $5, $4 / $5
    fflush()
    run += log($2 / $3); detect += log($4 / $5); n++
}
END { printf "%d programs, geometric means of the ratios: run %.3f, detect %.3f\n", n,
             exp(run / n), exp(detect / n) }'
[ ! -e wrong ]
