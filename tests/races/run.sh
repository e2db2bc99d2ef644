#!/bin/sh
# run.sh BUILD LEVEL [PATTERN] - builds each program with `stalemate cc --detect LEVEL`, runs
# it, and compares what was found with the first line of its source:
#   // race: NAMES   races on these are reported, and on nothing else; sorted, with commas
#   // no race       nothing is
set -u
build=$1 level=$2 pattern=${3:-}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 ran=0

complain() {
    echo "FAIL $1: $2" >&2
    echo "  again: $build/bin/stalemate cc --detect $level $1 -o a.out && ./a.out" >&2
    sed 's/^/  | /' "$work/found" >&2
    failed=$((failed + 1))
}

check() {
    source=$1
    expected=$(sed -n '1s,^// race: ,,p' "$source")
    if ! "$build/bin/stalemate" cc --detect "$level" "$source" -o "$work/program" 2>"$work/found"; then
        complain "$source" "does not build"
        return
    fi
    timeout 60 "$work/program" >"$work/found" 2>&1
    status=$?
    named=$(sed -n 's/^stalemate: data race on //p' "$work/found" | sort -u | paste -sd';' | sed 's/;/, /g')
    if [ "$status" -ne 0 ]; then
        complain "$source" "exit status $status"
    elif [ "$named" != "$expected" ]; then
        complain "$source" "expected ${expected:-no race}, found ${named:-none}"
    fi
}

for source in "$here"/destructive/*"$pattern"*.c "$here"/benign/*"$pattern"*.c \
    "$here"/none/*"$pattern"*.c; do
    [ -e "$source" ] || continue
    check "$source"
    ran=$((ran + 1))
done
echo "races: $ran programs at $level, $failed failed"
[ "$failed" -eq 0 ]
