#!/bin/sh
# demo.sh BUILD-DIR: builds the examples with stalemate-cc, hunts through each, and ends with
# one table of verdicts. What was found stays in BUILD-DIR/examples/NAME.hunt.
set -eu
cd "$(dirname "$0")/.."
build=$1
stalemate=$build/bin/stalemate
out=$build/examples
mkdir -p "$out"

# hunt NAME: hunts, shows what it says, and keeps its table of verdicts.
hunt() {
    rm -rf "$out/$1.hunt"
    status=0
    "$stalemate" hunt --out "$out/$1.hunt" --json "$out/$1.json" -- "$out/$1" \
        >"$out/$1.log" 2>&1 || status=$?
    cat "$out/$1.log"
    if [ $status -gt 1 ]; then
        echo "demo: stalemate hunt ended with status $status on $1; please report this" >&2
        exit 1
    fi
    # The rows between the heading of the table and the line that counts them.
    sed -n '/^variable /,/racy variable/p' "$out/$1.log" | sed '1d;$d' |
        sed "s/^/$(printf '%-18s' "$1")/" >>"$out/table"
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
printf '%-18s%s\n' example "$(grep -h '^variable ' "$out"/*.log | head -n 1)"
cat "$out/table"
