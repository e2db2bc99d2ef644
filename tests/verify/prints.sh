#!/bin/sh
# Programs whose threads print. Each states its outputs in its first lines, `// output: TEXT` with
# spaces for line ends: verify finds these and no others, and is complete, under sc, tso, pso and
# c11; under hb, which does not explore the orders of printing, it finds none but these, and is
# complete only if it has them all. Whatever a run prints is among them.
# Usage: prints.sh STALEMATE DIRECTORY
set -u
stalemate=$1 directory=$2
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failed=0

fail()
{
    echo "$(basename "$source"), $model: $*"
    failed=$((failed + 1))
}

# The outputs of result.json, one on a line; exit status 0 if they are complete.
outputs()
{
    python3 - "$out/result.json" <<'END'
import json, sys
result = json.load(open(sys.argv[1]))
print("\n".join(sorted(outcome["output"].strip().replace("\n", " ") for outcome in result["outcomes"])))
sys.exit(not result["complete"])
END
}

run_once()
{
    "$stalemate" run --quiet --model "$model" --seed "$1" -- "$out/program" </dev/null | tr '\n' ' ' |
        sed 's/ *$//'
}

for source in "$directory"/*.c "$directory"/*.cpp; do
    sed -n 's|^// output: ||p' "$source" | sort >"$out/wanted"
    compiler=cc
    [ "${source%.cpp}" = "$source" ] || compiler=c++
    "$stalemate" $compiler -O1 -g -pthread "$source" -o "$out/program" || exit 1
    for model in sc tso pso c11 hb; do
        "$stalemate" verify --quiet --model $model --json "$out/result.json" --out "$out" \
            -- "$out/program" </dev/null >/dev/null 2>&1 || fail "exit status $?"
        if outputs >"$out/got"; then
            cmp -s "$out/wanted" "$out/got" || fail "other outputs: $(diff "$out/wanted" "$out/got")"
        else
            [ $model = hb ] || fail "not complete"
            [ -z "$(comm -13 "$out/wanted" "$out/got")" ] || fail "too many: $(cat "$out/got")"
        fi
        for seed in 1 2 3 4 5; do
            grep -qxF -- "$(run_once $seed)" "$out/wanted" || fail "a run prints $(run_once $seed)"
        done
    done
done
[ $failed -eq 0 ]
