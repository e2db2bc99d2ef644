#!/bin/sh
# Programs whose threads share state of libc or of the kernel: verify says so and calls nothing
# proved, nor does hunt claim to have explored everything. Twins that share none (*_right.c) are
# proved. The first line of a program says what verify says.
# Usage: state.sh STALEMATE DIRECTORY
set -u
stalemate=$1 directory=$2
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failed=0

fail()
{
    echo "$name: $*:"
    cat "$out/text"
    failed=$((failed + 1))
}

claims()
{
    grep -q 'race-free, hence\|explored every execution' "$out/text"
}

for source in "$directory"/*.c; do
    name=$(basename "$source" .c)
    other=
    if [ -e "$directory/$name.other" ]; then
        other=$out/other.o
        "${STALEMATE_CLANG:-clang-19}" -x c -O1 -c "$directory/$name.other" -o "$other" || exit 1
    fi
    # shellcheck disable=SC2086 # no word, or one
    "$stalemate" cc -O1 -g -pthread "$source" $other -o "$out/program" || exit 1
    "$stalemate" verify --out "$out" -- "$out/program" >"$out/text" 2>&1 </dev/null
    grep -qF "$(sed -n 's|^// says: ||p' "$source")" "$out/text" || fail "not said"
    case $name in
    *_right) continue ;;
    esac
    claims && fail "verify claims a proof"
    "$stalemate" hunt --time 3 --trials 20 --out "$out/hunt" -- "$out/program" >"$out/text" 2>&1 \
        </dev/null
    claims && fail "hunt claims a proof"
done
[ $failed -eq 0 ]
