#!/bin/bash
# compare.sh BUILD OTHER-BUILD [RUNS] [PROGRAM...] - the rate of `stalemate verify` of two builds, each
# with programs of its own compiler, on the programs of run.sh. Each execution is explored (--count,
# where the build knows it), so that both do the same work; a program of which they count different
# numbers gets no row, and the exit status is 1. The builds take turns; the best of RUNS (3) counts,
# in instructions or seconds (cost.sh). The ratio is that of the rates: above 1 the first is faster.
set -eu
new=$(cd "$1" && pwd)/bin/stalemate other=$(cd "$2" && pwd)/bin/stalemate runs=${3:-3}
shift $(($# < 3 ? $# : 3))
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
. "$here/../cost.sh"
unset STALEMATE_OPTIONS

every_execution() { # STALEMATE
    if "$1" verify --help | grep -q -- --count; then
        echo --count
    fi
}
new_all=$(every_execution "$new") other_all=$(every_execution "$other")

executions() { # BUILD
    sed -n 's/^ *"executions": \([0-9]*\).*/\1/p' "json.$1"
}

measure() { # MODEL
    local build all
    rm -f cost.new cost.other
    for _ in $(seq "$runs"); do
        for build in new other; do
            all=${build}_all
            # shellcheck disable=SC2086 # no word, or one
            cost "cost.$build" "${!build}" verify --quiet --jobs 1 ${!all} --model "$1" --out out \
                --json "json.$build" -- "./program.$build" || [ $? = 1 ] || return 1
        done
    done
    [ "$(executions new)" = "$(executions other)" ]
}

printf '%-24s %-5s %10s %14s %14s %6s\n' program model executions new other ratio
awk "/<<'TABLE'/ { inside = 1; next } /^TABLE\$/ { inside = 0 } inside" "$here/run.sh" |
    while read -r program model _ _ flags; do
        [ $# -eq 0 ] || [[ " $* " == *" $program "* ]] || continue
        source=$here/programs/$program.c
        [ -f "$source" ] || source=$here/../../tests/verify/structures/$program.c
        # shellcheck disable=SC2086 # flags are words
        for build in new other; do
            "${!build}-cc" -O1 -g -pthread $flags "$source" -o program.$build
        done
        if measure "$model"; then
            echo "$program$flags" "$model" "$(executions new)" "$(best cost.new)" "$(best cost.other)"
        else
            echo "compare: $program $flags $model: $(executions new) and $(executions other)" \
                "executions, or it goes wrong:" >&2
            head -n 20 errors >&2
            touch wrong
        fi
    done | awk -v form="$(cost_form)" '{
        ratio = $5 / ($4 > 0 ? $4 : 0.001)
        printf "%-24s %-5s %10d " form " " form " %6.3f\n", $1, $2, $3, $4, $5, ratio
        fflush()
        sum += log(ratio); n++
    }
    END { if (n) printf "%d programs, geometric mean of the ratios %.3f\n", n, exp(sum / n) }'
[ ! -e wrong ]
