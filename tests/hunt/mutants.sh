#!/bin/sh
# mutants.sh BIN-DIR SCRATCH MUTANTS [EVERY]: 2,500 mutants of witnesses of several models (mutants.c).
# Every 20th goes through check, replay and report; the long form, EVERY 1, puts all through.
. "$(dirname "$0")/../common.sh"
mutants=$3 every=${4:-20}
n=0
for source in programs/store_buffering programs/message_passing programs/double_checked \
    programs/lost_update ../../bench/prescient/programs/figure2; do
    n=$((n + 1))
    name=$(basename $source)
    build $source.c
    says 1 "" "$stalemate" hunt --trials 60 --no-exact --out $name.out -- ./$name
    witness=$(find $name.out/witnesses -name '*.smw' | sort | head -n 1)
    "$mutants" "$stalemate" $name.out "$witness" 500 $n "$every" || fail "mutants of $witness"
done

# What the program's output has of control characters does not reach the terminal.
build sources/escape.c
says 1 "line 1 of the output is '?[31m0" "$stalemate" hunt --trials 40 --out escape.out -- ./escape
esc=$(printf '\033')
never "$esc"
for witness in escape.out/witnesses/*.smw; do
    says 0 "legal" "$stalemate" check "$witness"
    never "$esc"
done
says 1 "" "$stalemate" report escape.out
never "$esc"
