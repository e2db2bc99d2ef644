#!/bin/sh
# Time to the verdict on locks and lock-free structures with retry loops, under c11, with and
# without iterations that have no effect (docs/verify.md), and the peak memory of the larger.
# Figures of GenMC 0.11 stand beside those programs that it was measured on, on another machine with
# default options; ~ marks another program for the same structure.
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
    /usr/bin/time -a -f %M -o "$out/memory" "$stalemate" verify "$@" --no-symmetry --jobs 1 --time "$limit" \
        --model c11 --out "$out" -- "$out/program" 2>&1 </dev/null |
        sed -n 's/.*c11: \([0-9]*\) executions, \([0-9]*\) blocked, [0-9]* violations, \([0-9.]*\) s\(.*\)/\1 + \2, \3 s\4/p' |
        sed 's/; not complete/ (cut)/'
}

# row NAME SOURCE FLAGS GENMC
row()
{
    rm -f "$out/memory"
    # The flags of a row are words.
    # shellcheck disable=SC2086
    "$stalemate" cc -O1 -pthread $3 "$sources/$2.c" -o "$out/program" || exit 1
    printf '%-38s %-26s %-28s %-36s' "$1" "$4" "$(measure)" "$(measure --count)"
    awk '$1 > most { most = $1 } END { printf "%5d\n", most / 1024 }' "$out/memory"
}

printf '%-38s %-26s %-28s %-36s %s\n' 'executions + blocked, time' 'GenMC' 'verify' 'verify --count' MB
row 'test and test-and-set, 4 threads' ttas -DN=4 '576 + 1293, 0.06 s'
row 'test and test-and-set, 5 threads' ttas -DN=5 '14400 + 54594, 1.7 s'
row "Treiber's stack, 4 push" treiber -DPUSHERS=4 '20928 + 4608, 2.3 s'
row "Treiber's stack, 5 push" treiber -DPUSHERS=5 'more than 90 s'
row 'Michael and Scott, 3 put and take' michael_scott -DBOTH=3 '~ 57390 + 637033, 49 s'
row 'bounded queue, 2 put, 3 take' mpmc -DCONSUMERS=3 '~ 9552 + 68584, 3.8 s'
row 'shares, 2 readers, 1 writer' shares '-DREADERS=2 -DWRITERS=1' -
row 'shares, 2 readers, 2 writers' shares '-DREADERS=2 -DWRITERS=2' '~ 1060 + 5518, 0.5 s'
row 'free list with tags, 3 threads' free_list -DN=3 '~ 10536 + 1254, 0.9 s'
row 'writers first, 3 readers, 2 writers' writers_first '-DREADERS=3 -DWRITERS=2' '~ 26964 + 30031, 3.3 s'
row 'the same, readers try' writers_first '-DREADERS=3 -DWRITERS=2 -DTRY' '~ 27792 + 37916, 3.0 s'
row 'hazard pointers, 3 threads' hazard -DTHREADS=3 '~ 13158, 0.9 s'
row "Harris' list, 2 insert, 1 deletes" harris_list -DINSERTERS=2 -
row 'lazy list, 2 insert, 1 deletes' lazy_list -DINSERTERS=2 -
row 'epochs, 3 readers' epoch -DREADERS=3 -
row 'elimination stack, 3 push' elimination -DPUSHERS=3 -
row 'flat combining, 4 threads' flat_combining -DN=4 -
row 'RCU list' rcu '' -
row 'CLH with time-outs, 5 threads' clh_timeout -DN=5 -
row 'MCS with time-outs, 4 threads' mcs_timeout -DN=4 -
row 'ring, one to one, 8 items' spsc_ring -DITEMS=8 -
row 'ring, 5 to one' mpsc_ring -DPRODUCERS=5 -
row 'sequence lock, 2 writers, 2 readers' seqlock_retry -DREADERS=2 -
