#!/bin/sh
# Every program of a directory under every model. Its leading // lines say what verify must find:
#   executions: N   verified: this many, no race, no violation
#   count: N        this many with --count
#   hb: N           this many under hb, which counts what threads did and not in which order
#   race: TEXT      under sc a race on TEXT
#   violation: TEXT a violation, whose witness replays and passes check
#   refused: TEXT   exit status 3, and why
#   says: TEXT      this, too
#   models: M...    under these alone
#   flags: F...     compiled with these
# Usage: objects.sh STALEMATE DIRECTORY
set -u
stalemate=$1 directory=$2
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failed=0

fail()
{
    echo "$name, $model: $*:"
    cat "$out/text"
    failed=$((failed + 1))
}

wanted()
{
    sed -n "s|^// $1: ||p" "$source"
}

look()
{
    grep -q -- "$1" "$out/text" || fail "no '$1'"
}

judge()
{
    status=0
    count=$(wanted executions)
    violation=$(wanted violation)
    refused=$(wanted refused)
    race=$(wanted race)
    if [ $model = hb ] && [ -n "$(wanted hb)" ]; then
        count=$(wanted hb) refused=
    fi
    [ -n "$violation" ] && status=1
    [ -n "$refused" ] && status=3
    [ "$got" -eq "$status" ] || fail "exit status $got, expected $status"
    [ -z "$count" ] || look "$model: $count executions\\|stands* for $count ("
    [ -z "$violation" ] || look "$violation"
    [ -z "$refused" ] || look "$refused"
    says=$(wanted says)
    [ -z "$says" ] || look "$says"
    if [ $model = sc ] && [ -n "$race" ]; then
        look "race on $race"
    elif [ -z "$race" ] && grep -q 'race on' "$out/text"; then
        fail "a race"
    fi
    [ -n "$violation" ] || return
    "$stalemate" replay "$out/verify-$model-1.witness" >"$out/text" 2>&1 </dev/null
    grep -q 'event for event' "$out/text" || fail "replay"
    "$stalemate" check "$out/verify-$model-1.witness" >"$out/text" 2>&1 || fail "check"
}

count_all()
{
    count=$(wanted count)
    [ -n "$count" ] || return
    "$stalemate" verify --count --out "$out" --model $model -- "$out/program" >"$out/text" 2>&1 \
        </dev/null
    look "$model: $count executions"
}

for source in "$directory"/*.c "$directory"/*.cpp; do
    [ -f "$source" ] || continue
    name=$(basename "$source")
    compiler=cc
    [ "${name%.cpp}" = "$name" ] || compiler=c++
    "$stalemate" $compiler -O1 -g -pthread $(wanted flags) "$source" -o "$out/program" || exit 1
    models=$(wanted models)
    for model in ${models:-sc tso pso c11 hb}; do
        rm -f "$out"/*.witness # of another program
        "$stalemate" verify --out "$out" --model $model -- "$out/program" \
            >"$out/text" 2>&1 </dev/null
        got=$?
        judge
        count_all
    done
done
[ $failed -eq 0 ]
