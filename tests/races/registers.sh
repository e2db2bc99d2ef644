#!/bin/sh
# registers.sh BUILD - the functions behind inline checks save the vector registers that they use:
# those that are called first (native/paths.c) use few, the ones behind them none. One that calls an
# ordinary function would have to save all sixteen.
set -eu
objdump -d "$1/lib/stalemate/libstalemate_detect.so" | awk '
/^[0-9a-f]+ <.*>:/ {
    name = $2
    path = name ~ /^<sm_(read|write)([0-9]+|_any|_words)>:/
    behind = name ~ /^<sm_(access_slowly|access_again|lanes_seen|lane_free|claims_cover|cell_compact|has_seen_by_clock)>:/
    paths += path
    behinds += behind
}
name != last && (path && /%[yz]mm|%xmm1[0-5]/ || behind && /%[xyz]mm/) {
    print "FAIL: " name " touches a vector register: does it call an ordinary function?"
    last = name
    failed = 1
}
END {
    print "registers: " paths " functions, " behinds " behind them"
    exit failed || paths != 14 || behinds != 7
}'
