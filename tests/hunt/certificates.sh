#!/bin/sh
# certificates.sh BIN-DIR SCRATCH FORGE: under hb a future value is certified, and check verifies the
# certificate by itself; what was forged is refused by the axiom, not only by a checksum.
. "$(dirname "$0")/../common.sh"
forge=$3
# What trials have found: verify's own are further down.
by_trials=--no-exact
papers=../../bench/prescient/programs

# Load buffering, which nothing but a future value shows.
build $papers/figure2.c
says 1 "under hb" "$stalemate" hunt $by_trials --trials 60 --out lb.out -- ./figure2
for witness in lb.out/witnesses/*.smw; do
    says 0 "future values certified: 1" "$stalemate" check "$witness"
done
"$forge" nothing "$witness" forged.smw
says 0 "future values certified: 1" "$stalemate" check forged.smw
for way in no-certificate no-store value thread promised; do
    "$forge" $way "$witness" forged.smw
    says 1 "illegal in hb" "$stalemate" check --json verdict.json forged.smw
    grep -q '"axiom": "certificate"' verdict.json || fail "$way: $(cat verdict.json)"
done

# The same found by verify, and by a hunt that lets verify decide.
says 1 "violation" "$stalemate" verify --model hb --out explored.out -- ./figure2
says 1 "exact" "$stalemate" hunt --out exact.out -- ./figure2
for witness in explored.out/*.witness exact.out/witnesses/*.smw; do
    says 0 "future values certified: 1" "$stalemate" check "$witness"
    for way in no-store value thread promised; do
        "$forge" $way "$witness" forged.smw
        says 1 "illegal in hb" "$stalemate" check forged.smw
    done
    "$forge" no-certificate "$witness" forged.smw
    says 0 "decided as in oota" "$stalemate" check forged.smw
done

# PM's Figure 11: only a value out of thin air breaks it. prescient.command has the proofs.
build $papers/figure11.c
says 1 "under oota" "$stalemate" hunt $by_trials --trials 60 --out air.out -- ./figure11
says 0 "is not certified" "$stalemate" check air.out/witnesses/*.smw

# Initial values: the program's file has those of static data, the witness declares the others, which
# are those of heap memory in double_checked.
for name in message_passing double_checked; do
    build programs/$name.c
    says 1 "destructive" "$stalemate" hunt $by_trials --trials 60 --out $name.out -- ./$name
    for witness in $name.out/witnesses/*.smw; do
        "$forge" nothing "$witness" forged.smw
        says 0 "legal" "$stalemate" check forged.smw
        never "not compared"
        "$forge" initial "$witness" forged.smw
        says 1 "an initial value that memory does not begin with" "$stalemate" check forged.smw
        says 1 "" "$stalemate" check --json verdict.json forged.smw
        grep -q '"axiom": "initial-value"' verdict.json || fail "$witness: $(cat verdict.json)"
    done
done

# A report draws what is legal, and says what it does not draw.
stored=message_passing.out/witnesses/data-1.smw
cp $stored kept.smw
drawn="\"witnesses\":{\"$stored\":0"
says 1 "destructive" "$stalemate" report --html page.html message_passing.out
grep -q -F "$drawn" page.html || fail "a legal witness is not drawn"
for way in read number; do
    "$forge" $way kept.smw $stored
    says 1 "data-1.smw" "$stalemate" report --html page.html message_passing.out
    also "not drawn"
    ! grep -q -F "$drawn" page.html || fail "$way: an illegal witness is drawn"
done
cp kept.smw $stored

"$forge" nothing message_passing.out/witnesses/data-1.smw forged.smw
mv message_passing elsewhere
says 0 "not compared" "$stalemate" check forged.smw
