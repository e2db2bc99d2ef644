#!/bin/sh
# litmus.sh BIN-DIR SCRATCH PROGRAM LITMUS.DEF EVERY: hunt on litmus tests, of which the literature
# says in which models the outcome is allowed (every EVERY-th of them). What hunt calls destructive
# is allowed in the model it names; what --prove proves benign is allowed in none.
. "$(dirname "$0")/../common.sh"
program=$3 definition=$4 every=$5
awk '/^SM_LITMUS/ { on = 1 } on { line = line $0 } on && /\)$/ { print line; line = ""; on = 0 }' \
    "$definition" | sed 's/^SM_LITMUS("\([^"]*\)".*"\([-+]*\)")$/\1 \2/' |
    awk -v every="$every" 'NR % every == 0' >tests
n=0 destructive=0 proved=0
while read -r name allowed; do
    n=$((n + 1))
    status=0
    "$stalemate" hunt --trust-foreign --prove --trials 30 --time 8 --out "$name.out" --json json -- "$program" \
        "$name" >output 2>&1 </dev/null || status=$?
    [ $status -le 1 ] || { cat output; fail "$name: status $status"; }
    for model in $(sed -n 's/.*"model": "\([a-z0-9]*\)".*/\1/p' json); do
        column=$(echo "sc tso pso c11 hb oota" | tr ' ' '\n' | grep -n -x "$model" | cut -d: -f1)
        # The fifth column leaves out the future, which hb has.
        [ "$model" = hb ] && column=6
        destructive=$((destructive + 1))
        [ "$(echo "$allowed" | cut -c"$column")" = + ] ||
            { cat output; fail "$name is forbidden under $model"; }
    done
    grep -q '"proved-benign"' json || continue
    proved=$((proved + 1))
    [ "$(echo "$allowed" | cut -c6)" = - ] || { cat output; fail "$name is proved benign"; }
done <tests
echo "$n tests: $destructive destructive, $proved proved benign"
[ $destructive -gt 0 ] && [ $proved -gt 0 ] || fail "nothing was found, or nothing proved"
