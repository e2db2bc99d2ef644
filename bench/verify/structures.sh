#!/bin/sh
# Time to the verdict on locks and lock-free structures with retry loops, under c11, with and
# without iterations that have no effect (docs/verify.md). Figures of GenMC 0.11 stand beside those
# programs that it was measured on: same source, default options, on another machine.
# Usage: structures.sh BUILD [SECONDS]     SECONDS: limit of each run, 60
set -u
build=$1 limit=${2:-60}
stalemate=$build/bin/stalemate
sources=$(dirname "$0")/../../tests/verify/structures
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

# measure OPTIONS...: executions, blocked, seconds; what was cut is marked
measure()
{
    "$stalemate" verify "$@" --jobs 1 --time "$limit" --model c11 --out "$out" -- "$out/program" \
        2>&1 </dev/null |
        sed -n 's/.*c11: \([0-9]*\) executions, \([0-9]*\) blocked, [0-9]* violations, \([0-9.]*\) s\(.*\)/\1 + \2, \3 s\4/p' |
        sed 's/; not complete/ (cut)/'
}

# row NAME SOURCE FLAGS GENMC
row()
{
    # The flags of a row are words.
    # shellcheck disable=SC2086
    "$stalemate" cc -O1 -pthread $3 "$sources/$2.c" -o "$out/program" || exit 1
    printf '%-38s %-26s %-30s %s\n' "$1" "$4" "$(measure)" "$(measure --count)"
}

printf '%-38s %-26s %-30s %s\n' 'executions + blocked, time' 'GenMC' 'verify' 'verify --count'
row 'test and test-and-set, 4 threads' ttas -DN=4 '576 + 1293, 0.06 s'
row 'test and test-and-set, 5 threads' ttas -DN=5 '14400 + 54594, 1.7 s'
row "Treiber's stack, 4 push" treiber -DPUSHERS=4 '20928 + 4608, 2.3 s'
row "Treiber's stack, 5 push" treiber -DPUSHERS=5 'more than 90 s'
row 'free list with tags, 3 threads' free_list -DN=3 -
row 'writers first, 3 readers, 2 writers' writers_first '-DREADERS=3 -DWRITERS=2' -
row 'the same, readers try' writers_first '-DREADERS=3 -DWRITERS=2 -DTRY' -
row 'shares, 2 readers, 1 writer' shares '-DREADERS=2 -DWRITERS=1' -
row 'shares, 2 readers, 2 writers' shares '-DREADERS=2 -DWRITERS=2' -
