#!/bin/sh
# outcomes.sh STALEMATE BINARY [MODEL OUTCOMES]...: within 50 seeds a program prints, under a model,
# these lines and no others, sorted and each with a comma behind it.
set -eu
stalemate=$1 binary=$2
shift 2

outcomes() {
    seed=1
    while [ $seed -le 50 ]; do
        "$stalemate" run --quiet --model "$1" --seed $seed -- "$binary"
        seed=$((seed + 1))
    done | sort -u | tr '\n' ','
}

while [ $# -ge 2 ]; do
    seen=$(outcomes "$1")
    if [ "$seen" != "$2" ]; then
        echo "FAILED: under $1, 50 seeds gave '$seen', not '$2'"
        echo "    $stalemate run --model $1 --seed 1 -- $binary"
        exit 1
    fi
    shift 2
done
