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

# run NAME COMMAND...: stalemate COMMAND on the example; what it says is kept, and shown.
run() {
    example=$1
    shift
    status=0
    "$stalemate" "$@" --out "$out/found" -- "$out/$example" >"$out/$example.log" 2>&1 || status=$?
    cat "$out/$example.log"
    if [ $status -gt 1 ]; then
        echo "demo: stalemate $1 ended with status $status on $example; please report this" >&2
        exit 1
    fi
}

# hunt NAME: hunts, and keeps the table of verdicts.
hunt() {
    run "$1" hunt
    # The rows between the heading of the table and the line that counts them.
    sed -n '/^variable /,/racy variable/p' "$out/$1.log" | sed '1d;$d;/replay with:/d' |
        sed "s/^/$1 /" >>"$out/table"
}

# look_for_units NAME: has no race to hunt for; which units of work are not atomic?
look_for_units() {
    run "$1" atomicity --trials 20
    sed -n 's/^harmful: .* is not atomic for \([^ ]*\) .*/\1/p' "$out/$1.log" | sort -u |
        while read -r set; do
            where=$(grep -o 'at examples/[^ ]*' "$out/$1.log" | head -n 1)
            echo "$1 $set not-atomic - - - ${where#at }"
        done >>"$out/table"
    "$build/bin/stalemate-cc" -g -O1 -pthread -DREPAIRED "examples/$1.c" -o "$out/$1.repaired"
    run "$1.repaired" atomicity --trials 20
    [ $status = 0 ] || { echo "demo: a repaired program is accused; please report this" >&2; exit 1; }
}

: >"$out/table"
for source in examples/*.c; do
    name=$(basename "$source" .c)
    echo "=== $name"
    sed -n '2,/\*\//s,^ \*/* *,    ,p' "$source" | sed '$d'
    "$build/bin/stalemate-cc" -g -O1 -pthread "$source" -o "$out/$name"
    case $name in
    bank_account) look_for_units "$name" ;;
    *) hunt "$name" ;;
    esac
    echo
done

echo "=== Verdicts"
{ echo "example variable verdict model failures stale where"; cat "$out/table"; } |
    awk '{ printf "%-17s %-11s %-12s %-5s %9s %6s  %s\n", $1, $2, $3, $4, $5, $6, $7 }'
"$stalemate" report --quiet --html "$out/report.html" --sarif "$out/report.sarif" "$out/found" ||
    [ $? = 1 ]
echo
# Each kind once: units of work, store buffering, a counter, publication.
for name in bank_account dekker lost_update message_passing; do
    echo "=== A repair: $name"
    "$stalemate" fix --out "$out/repair" -- "$out/$name" >"$out/$name.repair.log" 2>&1 || [ $? = 1 ]
    sed -n '/^repair:/,$p' "$out/$name.repair.log"
    echo
done
echo "Each finding with its evidence, each witness drawn: $(realpath "$out/report.html")"
