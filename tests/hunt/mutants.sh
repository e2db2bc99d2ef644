#!/bin/sh
# mutants.sh BIN-DIR SCRATCH MUTANTS: 2,000 mutants of witnesses of several models are refused, by
# the checker within 2 s and 200 MB each, and by the commands that read witnesses.
. "$(dirname "$0")/../common.sh"
mutants=$3
for name in store_buffering message_passing double_checked lost_update; do
    build programs/$name.c
    "$stalemate" hunt --trials 40 --out $name.out -- ./$name >output 2>&1 </dev/null || true
done
n=0
for witness in *.out/witnesses/*.smw; do
    n=$((n + 1))
    [ $n -le 5 ] || break
    "$mutants" "$witness" 500 $n kept.smw || fail "a mutant of $witness is accepted"
done
[ $n -ge 4 ] || fail "only $n witnesses"

# What is refused is refused by everything, with status 2 and a reason.
says 2 "cannot read the witness" "$stalemate" check kept.smw
says 2 "kept.smw" "$stalemate" replay kept.smw

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
