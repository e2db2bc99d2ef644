#!/bin/sh
# examples.sh STALEMATE SOURCE SCRATCH: `verify --examples` keeps a witness of each output, which is
# legal, replays to that output, and changes no count; without the option there is none. An output
# that is a violation for another reason has that as its witness alone.
set -eu
stalemate=$1 source=$2
mkdir -p "$3"
cd "$3"
rm -rf ./*
fail() {
    echo "examples.sh: $*"
    exit 1
}
"$stalemate" cc -g -O1 -pthread "$source" -o buffering

# outputs OPTIONS...: one line for each, "count output witness".
outputs() {
    "$stalemate" verify --quiet --json result.json "$@" -- ./buffering </dev/null || status=$?
    python3 - result.json <<'END'
import json, sys
result = json.load(open(sys.argv[1]))
for outcome in result["outcomes"]:
    print(outcome["count"], outcome["output"].strip().replace(" ", "_"), outcome.get("witness", "-"))
print("violations", len(result["violations"]), result["complete"])
END
}

for model in sc tso pso c11 hb oota; do
    status=0
    outputs --model $model --out plain >without
    ! grep -q witness without || fail "$model: a witness nobody asked for"
    outputs --model $model --out kept-$model --examples 10 >with
    [ $status = 0 ] || fail "$model: status $status"
    sed 's/ [^ ]*witness$/ -/' with | cmp -s - without || fail "$model: other counts: $(cat with)"
    n=0
    while read -r count output witness; do
        [ "$count" != violations ] || continue
        n=$((n + 1))
        "$stalemate" check "$witness" >/dev/null || fail "$model: $witness is not legal"
        [ "$("$stalemate" replay --quiet "$witness" | tr ' ' _)" = "$output" ] ||
            fail "$model: $witness is not an execution with $output"
    done <with
    [ $n -ge 3 ] || fail "$model: $n outputs"
done

# No more than were asked for.
outputs --model tso --out two --examples 2 >with
[ "$(grep -c witness with)" = 2 ] || fail "not two examples: $(cat with)"

# A forbidden output is a violation, not an example; the others are examples.
echo 'forbid 0 0' >expect
outputs --model tso --out expected --examples 10 --expect expect >with
[ "$(grep -c witness with)" = 3 ] || fail "examples beside a violation: $(cat with)"
grep -q 'violations 1' with || fail "the violation is lost: $(cat with)"

# The page has an execution of each.
"$stalemate" report --html page.html kept-tso >/dev/null
[ "$(grep -o 'id="witness-[0-9]*"' page.html | sort -u | wc -l)" = 4 ] || fail "the page has not four executions"
