#!/bin/sh
# store_buffering.sh STALEMATE BINARY: within 50 seeds, all three outcomes of sequential
# consistency under sc, and the fourth, "0 0", under tso only.
set -eu
stalemate=$1 binary=$2

outcomes() {
    seed=1
    while [ $seed -le 50 ]; do
        "$stalemate" run --quiet --model "$1" --seed $seed -- "$binary"
        seed=$((seed + 1))
    done | sort -u | tr '\n' ','
}

expect() {
    seen=$(outcomes "$1")
    if [ "$seen" != "$2" ]; then
        echo "FAILED: under $1, 50 seeds gave '$seen', not '$2'"
        echo "    $stalemate run --model $1 --seed 1 -- $binary"
        exit 1
    fi
}

expect sc "0 1,1 0,1 1,"
expect tso "0 0,0 1,1 0,1 1,"
