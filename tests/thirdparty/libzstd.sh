#!/bin/sh
# zstd: its thread pool's own test, and its multithreaded mode. The compressor itself is
# instrumented too, and makes tens of millions of accesses, so only synchronisation is watched.
. "$(dirname "$0")/common.sh"
build source/tests CC="$cc" poolTests
build source/programs CC="$cc" zstd-release
# Two jobs of at least 512 KiB, zstd's smallest.
text 1200000 >input
zstd -q -c input >input.zst
for seed in $(seeds); do
    controlled "$seed" --watch none -- source/tests/poolTests >/dev/null
    controlled "$seed" --watch none -- source/programs/zstd -q -1 -T2 -B524288 -c input >output.zst
    zstd -q -dc output.zst | cmp - input || fail "zstd -T2, seed $seed"
    controlled "$seed" --watch none -- source/programs/zstd -q -dc input.zst | cmp - input ||
        fail "zstd -d, seed $seed"
done
