#!/bin/sh
# pbzip2 (C++): what it compresses under control, bzip2 unpacks, and the other way round.
. "$(dirname "$0")/common.sh"
# Its string literals are from before C++11, which clang takes seriously.
build source CXX="$cxx -std=gnu++98" pbzip2
text 400000 >input
bzip2 -c input >input.bz2
for seed in $(seeds); do
    controlled "$seed" -- source/pbzip2 -p3 -b1 -1 -c input >output.bz2
    bzip2 -dc output.bz2 | cmp - input || fail "pbzip2 -p3, seed $seed"
    controlled "$seed" -- source/pbzip2 -p3 -dc input.bz2 | cmp - input ||
        fail "pbzip2 -d, seed $seed"
done
