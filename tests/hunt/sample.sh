#!/bin/sh
# --sample: which elements of arrays are seen. A granule of 8 bytes is seen or not as a whole, so
# that two int share one; a block that is freed and handed out again is decided anew.
. "$(dirname "$0")/../common.sh"
build sources/arrays.c

# sees VARIABLE SAMPLE LOCATIONS STORES
sees() {
    says 0 "$3 locations with a history" $stalemate run --model hb --watch "$1" --sample "$2" \
        --verbose -- ./arrays
    also "$4 stores to locations with a history"
}
sees 'grid[][]' 0 500 500
sees 'grid[][]' 2 20 20
sees 'items[].value' 2 2 2
sees 'table.slots[]' 3 3 3
sees 'text[]' 2 1 8
sees 'numbers[]' 0 50 200
sees 'numbers[]' 2 1 4
sees 'numbers[]' 3 2 8
sees single 2 1 1

# Under tso every store must be seen.
says 0 "500 stores that were delayed" $stalemate run --model tso --heuristic oldest \
    --watch 'grid[][]' --sample 2 --verbose -- ./arrays
