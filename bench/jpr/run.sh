#!/bin/sh
# The JPR paper's Figure 14 beside ours: `make reproduce-jpr`. Fails if a verdict under hb is not
# that of the causality tests' authors, or of the paper's text, or if one under oota is not JPR's own:
# it generates tc5 and tc10, too.
# Usage: run.sh BUILD
set -u
build=$(cd "${1:?usage: run.sh BUILD}" && pwd) || exit 2
here=$(cd "$(dirname "$0")" && pwd)
stalemate=$build/bin/stalemate
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
wrong=0

# before WORD: the last number in $out/text that stands before the word
before() { sed -n "s/.*[ :]\([0-9.]*\) $1.*/\1/p" "$out/text" | tail -1; }
write_set() { sed -n 's/.*write set \([0-9]*\).*/\1/p' "$out/text" | tail -1; }

verify()
{
    "$stalemate" verify --model hb --out "$out" "$@" >"$out/text" 2>&1 </dev/null
}

# generates NAME OUTCOME: the outcome is allowed or forbidden under oota
generates()
{
    "$stalemate" verify --model oota --out "$out" -- "$out/causality" "$1" >"$out/oota" 2>&1 \
        </dev/null || { echo error; return; }
    if grep -q -- "$2" "$out/oota"; then echo allowed; else echo forbidden; fi
}

# row NAME SAID FOUND THREADS ITERATIONS SECONDS WRITES STATES
row()
{
    mark=
    [ "$2" = "$3" ] || { mark=' WRONG'; wrong=$((wrong + 1)); }
    printf '%-13s %7s | %4s %6s %4s %6s | %4s %6s %4s %6s %6s | %-9s %s%s\n' "$1" "$4" \
        "$5" "$6" "$7" "$8" "$(before iterations)" "$(before 's\>')" "$(write_set)" \
        "$(before states)" "$(before executions)" "$3" "$2" "$mark"
}

echo '                      |      paper (JPR)        |            stalemate              |'
echo 'program       threads | iter   time   WS states | iter   time   WS states  execs | found     should be'
"$stalemate" cc -g -O1 -pthread "$here/causality.c" -o "$out/causality" || exit 1
while read -r name outcome said rest; do
    verify -- "$out/causality" "$name"
    status=$?
    found=forbidden
    grep -q -- "$outcome" "$out/text" && found=allowed
    [ $status -eq 0 ] && ! grep -q 'not complete' "$out/text" || found="exit $status"
    # shellcheck disable=SC2086 # several columns
    row "$name" "$said" "$found" $rest
    jpr=$said
    case $name in
    tc5 | tc10) jpr=allowed ;;
    esac
    generated=$(generates "$name" "$outcome")
    [ "$generated" = $jpr ] && continue
    echo "$name under oota: $generated, JPR has $jpr: WRONG"
    wrong=$((wrong + 1))
done <<END
$(grep '^tc' "$here/cases.list")
END
while read -r name program flags said rest; do
    "$stalemate" cc -g -O1 -pthread "$flags" "$here/$program.c" -o "$out/program" || exit 1
    first=
    [ "$said" = fails ] && first=--first
    verify $first -- "$out/program"
    case $? in
    0) found=benign ;;
    1) found=fails ;;
    *) found=error ;;
    esac
    [ $found = benign ] && grep -q 'not complete' "$out/text" && found=incomplete
    # shellcheck disable=SC2086
    row "$name" "$said" "$found" $rest
done <<END
$(grep '^[a-z]' "$here/programs.list")
END
echo "$wrong wrong"
[ $wrong -eq 0 ]
