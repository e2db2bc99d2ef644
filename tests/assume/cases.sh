#!/bin/sh
# cases.sh STALEMATE PROGRAM SOURCE CASES: verify under each set of repairs of CASES says what stands
# there, and every witness is legal, replays, and says what it assumes.
set -u
stalemate=$1 program=$2 source=$3 cases=$4
here=$program.cases
rm -rf "$here"
mkdir -p "$here"
. "$(dirname "$0")/marks.sh"

fail()
{
    echo "FAILED: $1: line $number: $line" >&2
    cat "$here/text" >&2
    failed=1
}

verify() # MODEL
{
    rm -rf "$here/out"
    set -- --model "$1" --out "$here/out" --json "$here/json"
    [ -s "$here/repairs" ] && set -- "$@" --assume-fix "$here/repairs"
    "$stalemate" verify "$@" -- "$program" "$name" >"$here/text" 2>&1 </dev/null
}

is_clean()
{
    for model in hb c11; do
        verify $model || { fail "$model: not clean"; return; }
        grep -q '"races": *\[\]' "$here/json" || fail "$model: a race is left"
    done
    grep -q '"complete": *true' "$here/json" || fail "$model: not complete"
}

is_racy()
{
    verify hb || fail "it fails"
    verify c11 && grep -q '"races": *\[\]' "$here/json" && fail "no race"
}

fails() # KIND
{
    verify hb && { fail "nothing found"; return; }
    grep -q "^violation: $1[: ]" "$here/text" || { fail "no $1"; return; }
    for witness in "$here"/out/*.witness; do
        "$stalemate" check "$witness" >"$here/text" 2>&1 || fail "not legal"
        "$stalemate" replay "$witness" >"$here/text" 2>&1
        grep -q 'event for event' "$here/text" || fail "does not replay"
        [ ! -s "$here/repairs" ] || grep -q 'assuming' "$here/text" || fail "does not say it assumes"
    done
}

failed=0 number=0
while IFS= read -r line; do
    number=$((number + 1))
    case $line in '' | '#'*) continue ;; esac
    set -f
    set -- $line
    name=$1 expected=$2
    shift 2
    lines "$*" >"$here/repairs"
    set +f
    case $expected in
    clean) is_clean ;;
    race) is_racy ;;
    *) fails "$expected" ;;
    esac
done <"$cases"
exit $failed
