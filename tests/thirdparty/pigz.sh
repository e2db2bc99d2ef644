#!/bin/sh
# pigz: what it compresses under control, gzip unpacks, and the other way round.
[ -d "$2" ] || { echo "pigz: its source could not be fetched"; exit 77; }
. "$(dirname "$0")/common.sh"
build source CC="$cc" pigz
text 400000 >input
gzip -c input >input.gz
for seed in $(seeds); do
    controlled "$seed" -- source/pigz -p 3 -b 32 -c input >output.gz
    gzip -dc output.gz | cmp - input || fail "pigz -p 3, seed $seed"
    controlled "$seed" -- source/pigz -p 3 -dc input.gz | cmp - input || fail "pigz -d, seed $seed"
done
