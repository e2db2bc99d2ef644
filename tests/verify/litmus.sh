#!/bin/sh
# Every litmus test under one model: verify finds the outcome exactly where it is allowed, but
# for two tests that hb does not reach (docs/memory-models.md): there it says "not complete".
# Usage: litmus.sh STALEMATE PROGRAM LITMUS.DEF MODEL
set -u
stalemate=$1 program=$2 definition=$3 model=$4
case $model in
sc) column=1 ;;
tso) column=2 ;;
pso) column=3 ;;
c11) column=4 ;;
hb-past) column=5 model="hb --no-prescient" ;;
*) column=6 ;;
esac
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
awk '/^SM_LITMUS/ { on = 1 } on { line = line $0 } on && /\)$/ { print line; line = ""; on = 0 }' \
    "$definition" | sed 's/^SM_LITMUS("\([^"]*\)".*"\([-+]*\)")$/\1 \2/' >"$out/tests"
failed=0 n=0
while read -r name allowed; do
    # shellcheck disable=SC2086 # a model, and perhaps an option
    "$stalemate" verify --first --out "$out" --model $model -- "$program" "$name" \
        >"$out/text" 2>&1 </dev/null
    status=$?
    case "$model $name" in
    hb*IRIW+acq+sc | hb*Z6.U | oota*IRIW+acq+sc | oota*Z6.U) grep -q 'not complete' "$out/text" && status=1 ;;
    esac
    n=$((n + 1))
    wanted=0
    [ "$(echo "$allowed" | cut -c$column)" = + ] && wanted=1
    [ $status -eq $wanted ] && continue
    failed=$((failed + 1))
    echo "$name: exit status $status, expected $wanted:"
    cat "$out/text"
done <"$out/tests"
echo "$n tests under $model, $failed failed"
[ $failed -eq 0 ] && [ $n -gt 0 ]
