#!/bin/sh
# run.sh BUILD FLAVOUR LEVEL [PATTERN] - builds each program for FLAVOUR (detect: to run by
# itself; controlled: to run under `stalemate detect`), runs it once, and compares what was
# found with the first line of its source:
#   // race: NAMES   races on these are reported, and on nothing else; sorted, with commas. More
#                    such lines may follow
#   // no race       nothing is
# A second line `// controlled race: NAMES` (or detect) is for that flavour alone, in place of the
# first.
set -u
build=$1 flavour=$2 level=$3 pattern=${4:-}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 ran=0

case $flavour in
detect)
    option=--detect
    execute() { "$work/program"; }
    # Which element it was may depend on who came first.
    # An access after a free is told as that, and not as a race.
    names='/^stalemate: data race on /{s/^stalemate: data race on //;s/\[[0-9]*\]/[]/;p}
        s/^stalemate: \(use-after-free\|double-free\): .*/\1/p'
    ;;
controlled)
    option=
    # Status 1 says that there are races.
    execute() { "$build/bin/stalemate" detect -- "$work/program" || [ $? -eq 1 ]; }
    names='s/^race [0-9]*: data race on \(.*\), seen .*/\1/p'
    ;;
esac

# By itself a program that had races ends with 66.
wanted_status() {
    [ "$flavour" = detect ] && [ -n "$named" ] && echo 66 || echo 0
}

complain() {
    echo "FAIL $1: $2" >&2
    echo "  again: $0 $build $flavour $level $(basename "$1" .c)" >&2
    sed 's/^/  | /' "$work/found" >&2
    failed=$((failed + 1))
}

check() {
    source=$1
    expected=$(sed -n "2s,^// $flavour race: ,,p" "$source")
    [ -n "$expected" ] || expected=$(sed -n "/^\/\/ /!q; s,^// race: ,,p" "$source" | paste -sd'~' | sed 's/~/, /g')
    case $source in *.cpp) compiler=c++ ;; *) compiler=cc ;; esac
    if ! "$build/bin/stalemate" $compiler $option "$level" "$source" -o "$work/program" -lm 2>"$work/found"; then
        complain "$source" "does not build"
        return
    fi
    execute >"$work/found" 2>&1
    status=$?
    named=$(sed -n "$names" "$work/found" | sort -u | paste -sd';' | sed 's/;/, /g')
    if [ "$status" -ne "$(wanted_status)" ]; then
        complain "$source" "exit status $status, not $(wanted_status)"
    elif [ "$named" != "$expected" ]; then
        complain "$source" "expected ${expected:-no race}, found ${named:-none}"
    fi
}

for source in "$here"/destructive/*"$pattern"*.c "$here"/benign/*"$pattern"*.c \
    "$here"/none/*"$pattern"*.c "$here"/*/*"$pattern"*.cpp; do
    [ -e "$source" ] || continue
    check "$source"
    ran=$((ran + 1))
done
echo "races: $ran programs, $flavour $level, $failed failed"
[ "$failed" -eq 0 ]
