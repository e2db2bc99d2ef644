#!/bin/sh
# race_free.sh BUILD [TRIALS [PATTERN]] - hunts the race-free programs of the suite, those of
# tests/programs and of tests/races/none whose name has the pattern (all), with so many trials
# (200), and fails if a hunt reports anything. A program that has races says `// races: yes`;
# one that fails by itself says `// expect:`, and one whose races only the
# detect flavour leaves out `// controlled race:`.
set -u
build=$(cd "$1" && pwd) trials=${2:-200} pattern=${3:-}
tests=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
unset STALEMATE_OPTIONS
programs=0 executions=0 failed=0

header() { # SOURCE KEY: what a leading comment line says
    sed -n "/^\/\//!q; s|^// $2: *||p" "$1"
}

hunt() { # SOURCE PROGRAM
    header "$1" stdin >input
    # shellcheck disable=SC2046 # arguments are words
    "$build/bin/stalemate" hunt --trials "$trials" --out out -- "$2" $(header "$1" args) \
        >found 2>&1 <input
    status=$?
    programs=$((programs + 1))
    if [ $status -ne 0 ] || ! grep -q '^0 racy variables;' found; then
        failed=$((failed + 1))
        echo "FAILED: $1: status $status" >&2
        echo "  again: $build/bin/stalemate hunt --trials $trials -- $2 $(header "$1" args)" >&2
        sed 's/^/  | /' found >&2
        return
    fi
    executions=$((executions + $(sed -n 's/^0 racy variables; \([0-9]*\) .*/\1/p' found)))
}

for source in "$tests"/programs/*/*"$pattern"*.c*; do
    [ -e "$source" ] && [ -z "$(header "$source" expect)$(header "$source" races)" ] || continue
    program=${source#"$tests"/}
    hunt "$source" "$build/tests/${program%.*}"
done
for source in "$tests"/races/none/*"$pattern"*.c; do
    [ -e "$source" ] && [ -z "$(header "$source" 'controlled race')" ] || continue
    program=$(basename "$source" .c)
    "$build/bin/stalemate" cc -g -O1 -pthread -o "$program" "$source" || exit 99
    hunt "$source" "./$program"
done
echo "race-free: $programs programs, $executions executions, $failed reported something"
[ $programs -gt 0 ] && [ $failed -eq 0 ]
