#!/bin/sh
# demo.sh BUILD-DIR: builds the examples with stalemate-cc, hunts through each, and ends with one
# table of verdicts and a page that tells the whole story. What was found stays in
# BUILD-DIR/examples/found, for `stalemate report`.
set -eu
cd "$(dirname "$0")/.."
build=$1
stalemate=$build/bin/stalemate
out=$build/examples
mkdir -p "$out"
rm -rf "$out/found"

# hunt NAME: hunts, shows what it says, and keeps its table of verdicts.
hunt() {
    status=0
    "$stalemate" hunt --out "$out/found" -- "$out/$1" >"$out/$1.log" 2>&1 || status=$?
    cat "$out/$1.log"
    if [ $status -gt 1 ]; then
        echo "demo: stalemate hunt ended with status $status on $1; please report this" >&2
        exit 1
    fi
    # The rows between the heading of the table and the line that counts them.
    sed -n '/^variable /,/racy variable/p' "$out/$1.log" | sed '1d;$d;/replay with:/d' |
        sed "s/^/$1 /" >>"$out/table"
}

: >"$out/table"
for source in examples/*.c; do
    name=$(basename "$source" .c)
    echo "=== $name"
    sed -n '2,/\*\//s,^ \*/* *,    ,p' "$source" | sed '$d'
    "$build/bin/stalemate-cc" -g -O1 -pthread "$source" -o "$out/$name"
    hunt "$name"
    echo
done

echo "=== Verdicts"
{ echo "example variable verdict model failures stale where"; cat "$out/table"; } |
    awk '{ printf "%-17s %-11s %-12s %-5s %9s %6s  %s\n", $1, $2, $3, $4, $5, $6, $7 }'
"$stalemate" report --quiet --html "$out/report.html" --sarif "$out/report.sarif" "$out/found" ||
    [ $? = 1 ]
echo
echo "Each finding with its evidence, each witness drawn: $(realpath "$out/report.html")"
