#!/bin/sh
# cliffs.sh BUILD [CLASS...] - the cells of bench/cliffs with few rounds, in the detect flavour at
# -O2: they are race-free, and nothing is reported. In each racy twin a race is, and the report
# names a function of the twin on both sides. A race with free is told as a use after free where
# the block was freed first.
set -u
build=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- access share atomics memory containers
cells=$(cd "$(dirname "$0")/../../bench/cliffs" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 ran=0

fail() { # WHAT, and the output
    echo "FAIL $1" >&2
    sed 's/^/  | /' "$work/output" >&2
    failed=$((failed + 1))
}

make_class() { # CLASS
    if [ -e "$cells/$1.c" ]; then
        "$build/bin/stalemate" cc --detect -g -O2 -pthread "$cells/$1.c" -o "$work/$1"
    else
        "$build/bin/stalemate" c++ --detect -std=c++17 -g -O2 -pthread "$cells/$1.cpp" -o "$work/$1"
    fi
}

no_report() { # CLASS
    timeout 300 "$work/$1" all 20 >"$work/output" 2>&1 && ! grep -q '^stalemate:' "$work/output" ||
        fail "$1: the cells are race-free"
}

reported() { # CLASS TWIN
    timeout 60 "$work/$1" twin "$2" >"$work/output" 2>&1
    grep -Eq '^stalemate: (data race on |use-after-free: )' "$work/output" &&
        [ "$(grep -c '^ *twin_[a-z_()]*  ' "$work/output")" -ge 2 ] || fail "$1: the twin $2 is racy"
}

for class; do
    make_class "$class" >"$work/$class.log" 2>&1 &
done
wait
for class; do
    cp "$work/$class.log" "$work/output"
    [ -x "$work/$class" ] || { fail "$class does not compile"; continue; }
    no_report "$class"
    for twin in $("$work/$class" twins); do
        reported "$class" "$twin"
        ran=$((ran + 1))
    done
done
echo "cliffs: $# classes, $ran twins, $failed failed"
[ "$failed" -eq 0 ] && [ "$ran" -gt 0 ]
