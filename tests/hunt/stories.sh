#!/bin/sh
# The story of a failure without a stale value has the accesses that led to it, and no others. Each
# program says in its first comment what is told, in this order, and what is not.
. "$(dirname "$0")/../common.sh"

# said KEY FILE: the words behind KEY in the first comment, up to the next key.
said() {
    sed '/\*\//q' "$2" | tr -s ' \n' '  ' | sed -n "s/.*$1: //p" | sed 's/ NEVER: .*//; s| \*/.*||'
}
for source in "$here"/stories/*.c "$here"/stories/*.cpp; do
    name=$(basename "${source%.c*}")
    case $source in
    *.c) build "stories/$name.c" ;;
    *) "$stalemate" c++ -std=c++17 -g -O1 -pthread -o "$name" "$source" || fail "cannot build $name" ;;
    esac
    says 1 "under sc" $stalemate hunt --out "$name.out" -- "./$name"
    sed -n '/^failure/,/replay with/p' output >story
    [ "$(grep -c '^failure' story)" = 1 ] || { cat story; fail "$name: not one failure"; }
    tr '\n' ' ' <story >line
    pattern=$(said TELLS "$source" | sed 's| / |.*|g')
    grep -q "$pattern" line || { cat story; fail "$name: not told: $pattern"; }
    never_told=$(said NEVER "$source" | sed 's/ | /\\|/g')
    ! grep -q "\\<\\($never_told\\)\\>" line || { cat story; fail "$name: told: $never_told"; }
done

# Nothing was found, and something was not looked at.
build sources/weak_atomics.c
says 0 "not looked at: atomics weaker than seq_cst (left, right)" $stalemate hunt --out weak.out -- \
    ./weak_atomics
says 1 "violation" $stalemate verify --model c11 --out weak.verify -- ./weak_atomics
$stalemate cc -g -O1 -pthread -DSTRONG -o strong "$here/sources/weak_atomics.c" || fail "no build"
says 0 "0 racy variables" $stalemate hunt --out strong.out -- ./strong
never "not looked at"
