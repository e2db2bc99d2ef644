#!/bin/sh
# registers.sh BUILD - the functions behind inline checks (native/paths.c) touch no vector register:
# one that calls an ordinary function would have to save all sixteen of them first.
set -eu
objdump -d "$1/lib/stalemate/libstalemate_detect.so" | awk '
/^[0-9a-f]+ <.*>:/ {
    path = $2 ~ /^<(sm|other)_(read|write)([0-9]+|_any|_words)>:/
    name = $2
    paths += path
}
path && /%[xyz]mm/ && name != last {
    print "FAIL: " name " touches a vector register: does it call an ordinary function?"
    last = name
    failed = 1
}
END {
    print "registers: " paths " functions"
    exit failed || paths < 14
}'
