#!/bin/sh
# run.sh STALEMATE SOURCE WORKDIR [OPTION...]: hunts the program and compares the verdicts with those that
# stand in the source, one a line: "hunt: VARIABLE VERDICT [MODEL]", or "hunt: nothing".
# "options: OPTIONS" are given to hunt, after those of the command line; "says: TEXT" and "never says: TEXT" are about what it
# prints. Every witness must replay and be legal: see witnesses.sh.
set -u
stalemate=$1 source=$2 work=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
name=$(basename "$source")
name=${name%.*}
mkdir -p "$work" && cd "$work" || exit 99
rm -rf "$name.out"

fail()
{
    echo "FAILED: $1" >&2
    echo "hunt again: cd $work && $stalemate hunt $options --out $name.out -- ./$name" >&2
    cat "$name.text" >&2
    exit 1
}

options="$* $(sed -n 's/^ \* options: //p' "$source")"
case $source in
*.cpp) compile=c++ ;;
*) compile=cc ;;
esac
"$stalemate" $compile -g -O1 -pthread -o "$name" "$source" || exit 99
# shellcheck disable=SC2086 # options are words
"$stalemate" hunt $options --out "$name.out" -- "./$name" >"$name.text" 2>&1
status=$?

expected=$(sed -n 's/^ \* hunt: //p' "$source")
[ -n "$expected" ] || fail "$source does not say what to expect"
case $expected in
*destructive* | *failure*) [ $status -eq 1 ] || fail "exit status $status instead of 1" ;;
*) [ $status -eq 0 ] || fail "exit status $status instead of 0" ;;
esac

# Rows of the table, as in the sources: columns are two blanks apart.
rows=$(awk -F '  +' '/^variable  /{on = 1; next} /racy variable/{on = 0}
    on{print $1, $2 ($3 == "-" ? "" : " " $3)}' "$name.text")
if [ "$expected" = nothing ]; then
    [ -z "$rows" ] || fail "found: $rows"
else
    echo "$expected" | while read -r line; do
        [ "$line" = "failure" ] || echo "$rows" | grep -qxF -- "$line" || exit 1
    done || fail "expected: $expected
found: $rows"
fi

sed -n 's/^ \* says: //p' "$source" | while read -r line; do
    grep -qF -- "$line" "$name.text" || exit 1
done || fail "it does not say: $(sed -n 's/^ \* says: //p' "$source")"
sed -n 's/^ \* never says: //p' "$source" | while read -r line; do
    ! grep -qF -- "$line" "$name.text" || exit 1
done || fail "it says: $(sed -n 's/^ \* never says: //p' "$source")"

"$here/witnesses.sh" "$stalemate" 3 "$name.out" >"$name.witnesses" 2>&1 ||
    fail "$(cat "$name.witnesses")"
