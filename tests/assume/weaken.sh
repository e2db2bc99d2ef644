#!/bin/sh
# weaken.sh STALEMATE DIRECTORY SOURCE: `fix --weaken` on each structure of SOURCE finds the order
# that the comment of each line has, or a weaker one where that is not marked as needed. For each
# order that is too weak there is a reason, and a witness that is legal.
set -u
stalemate=$1 directory=$2 source=$3
rm -rf "$directory"
mkdir -p "$directory"
cd "$directory" || exit 1
failed=0

fail()
{
    echo "FAILED: $name: $1" >&2
    failed=1
}

strength()
{
    case $1 in
    relaxed) echo 0 ;;
    acquire | release) echo 1 ;;
    acq_rel) echo 2 ;;
    seq_cst) echo 3 ;;
    esac
}

# LINE ORDER: the comment of the line allows it.
compare()
{
    wanted=$(sed -n "$1s|.*/\* \(!*[a-z_]*\) \*/.*|\1|p" "$source")
    needed=${wanted#!}
    [ -n "$wanted" ] || { fail "line $1 has no order in its comment"; return; }
    [ "$2" = "$needed" ] && return
    [ "$wanted" = "$needed" ] && [ "$(strength "$2")" -lt "$(strength "$needed")" ] && return
    fail "line $1: $2, not $wanted"
}

for name in $(sed -n 's/^#ifdef //p' "$source"); do
    "$stalemate" cc -O1 -g -pthread "-D$name" "$source" -o "$name" || exit 1
    "$stalemate" fix --weaken --out "$name.out" --json "$name.json" -- "./$name" 2>"$name.text" ||
        { fail "status $?"; cat "$name.text"; continue; }
    sed -n 's/^.*structures.c:\([0-9]*\):[0-9]* [^:]*: \([a-z_]*\) is \(enough\|needed\).*/\1 \2/p' \
        "$name.text" >"$name.orders"
    [ -s "$name.orders" ] || fail "no order found"
    while read -r line order; do
        compare "$line" "$order"
        [ "$order" = relaxed ] || grep -A1 "structures.c:$line:" "$name.text" |
            grep -q 'is too weak: [a-z]' || fail "line $line: no reason for $order"
    done <"$name.orders"
    awk '/ is too weak: / { wanted++ } /replay with: / { there++ } END { exit wanted != there }' \
        "$name.text" || fail "an order that is too weak has no witness"
    for witness in $(sed -n 's/.*stalemate replay //p' "$name.text"); do
        "$stalemate" check --quiet "$witness" || fail "$witness is not legal"
    done
done
exit $failed
