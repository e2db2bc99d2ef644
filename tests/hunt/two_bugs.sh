#!/bin/sh
# two_bugs.sh STALEMATE SOURCE WORKDIR: one hunt finds both bugs of a program. They stand in the
# source: "hunt: VARIABLE VERDICT" is a row of the table; "failure: KIND" is a failure under sc, at
# the line marked "// failure" if there is one; "says: TEXT" is part of the story.
set -u
stalemate=$1 source=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
name=$(basename "$source" .c)
mkdir -p "$work" && cd "$work" || exit 99
rm -rf "$name.out"

fail()
{
    echo "FAILED: $1" >&2
    echo "hunt again: cd $work && $stalemate hunt --out $name.out -- ./$name" >&2
    cat "$name.text" >&2
    exit 1
}

"$stalemate" cc -g -O1 -pthread -o "$name" "$source" || exit 99
"$stalemate" hunt --out "$name.out" --json "$name.json" -- "./$name" >"$name.text" 2>&1
status=$?
[ $status -eq 1 ] || fail "exit status $status instead of 1"

race=$(sed -n 's/^ \* hunt: //p' "$source")
variable=${race% *} verdict=${race##* }
awk -F '  +' -v variable="$variable" -v verdict="$verdict" \
    '$1 == variable && $2 == verdict{found = 1} END{exit !found}' "$name.text" ||
    fail "no row: $race"

kind=$(sed -n 's/^ \* failure: //p' "$source")
line=$(sed -n '\,// failure,=' "$source")
grep -q "^failure: $kind under sc${line:+, at [^ ]*$name.c:$line[: ]}" "$name.text" ||
    fail "no failure: $kind at line ${line:-any}"
grep -q "\"kind\": \"$kind\"" "$name.json" || fail "no failure of that kind in the JSON"
sed -n 's/^ \* says: //p' "$source" | while read -r text; do
    grep -qF -- "$text" "$name.text" || { echo "$text" >"$name.unsaid"; exit 1; }
done || fail "it does not say: $(cat "$name.unsaid")"

"$here/witnesses.sh" "$stalemate" 3 "$name.out" >"$name.witnesses" 2>&1 ||
    fail "$(cat "$name.witnesses")"
