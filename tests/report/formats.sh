#!/bin/sh
# The files that programs read: each is well-formed, and has in it what it is for.
. "$(dirname "$0")/common.sh"
hunt hunt/programs/message_passing.c
hunt hunt/sources/deadlock.c
"$stalemate" report --quiet --html page.html --sarif report.sarif --junit report.xml \
    --trace report.trace --dot report.dot && fail "status 0"

# SARIF: both programs; the race has a flow for each of its two threads
"$checkers/report-check-sarif" report.sarif || fail "report.sarif is not as SARIF has it"
has '"ruleId": "race/destructive"' report.sarif
has '"ruleId": "failure/deadlock"' report.sarif
has '"uri": "message_passing.c"' report.sarif
has '"id": "thread 1 · produce"' report.sarif
has '"id": "thread 2 · consume"' report.sarif
has '"text": "race on data: produce() message_passing.c:' report.sarif
! grep '"uri": ".*[.][.]/' report.sarif || fail "a URI is not normalised"
has 'read data = 0, not the newest value' report.sarif
has 'Replay with: stalemate replay .stalemate/witnesses/data-1.smw' report.sarif

# JUnit as Jenkins has it; DOT that Graphviz draws; annotations and a badge
xmllint --noout --schema "$here/junit.xsd" report.xml 2>errors || { cat errors; fail "report.xml: not as Jenkins has it"; }
dot -Tsvg report.dot -o report.svg 2>errors || { cat errors; fail "Graphviz does not take report.dot"; }
[ ! -s errors ] || { cat errors; fail "Graphviz complains"; }
has 'read data = 0' report.svg
"$stalemate" report --quiet --annotations notes.txt --badge badge.svg && fail "status 0"
grep -q '^::error file=message_passing.c,line=[0-9]*,title=race on data%3A produce() message_passing.c%3A[0-9]* writes while ' notes.txt ||
    { cat notes.txt; fail "no annotation of the race"; }
grep -q '^::error file=deadlock.c,line=[0-9]*,title=deadlock::' notes.txt || fail "no annotation of the deadlock"
[ "$(grep -vc '^::' notes.txt)" = 0 ] || fail "an annotation has several lines"
[ "$(grep -n '^::notice' notes.txt | head -n 1 | cut -d: -f1)" -gt "$(grep -n '^::error' notes.txt | tail -n 1 | cut -d: -f1)" ] ||
    fail "a notice before an error"
xmllint --noout badge.svg || fail "badge.svg is not well-formed"
has 'stalemate: 2 bad findings' badge.svg

# what the other commands leave is there, too: detect finds both sides or nothing
hunt hunt/programs/message_passing.c --out others
"$stalemate" cc --detect -g -O1 -pthread -o lost "$here/../hunt/programs/lost_update.c"
"$stalemate" verify --quiet --out others --model c11 -- ./message_passing </dev/null && fail "status 0"
"$stalemate" verify --quiet --out others --model sc -- ./message_passing </dev/null || fail "sc"
for i in 1 2 3 4 5 6 7 8; do
    "$stalemate" detect --quiet --out others --trials 20 -- ./lost >detected </dev/null || break
done
"$stalemate" report --sarif others.sarif --junit others.xml --json others.json others >output &&
    fail "status 0"
has "verify/violation: assert" output
has "detect/race: data race on" output
has "verify under sc: " output
"$checkers/report-check-sarif" others.sarif || fail "others.sarif is not as SARIF has it"
has '"ruleId": "verify/violation"' others.sarif
has '"ruleId": "detect/race"' others.sarif
"$checkers/report-check-xml" others.xml || fail "others.xml is not well-formed"
has '<failure type="verify/violation"' others.xml
has '"command": "detect"' others.json

# an account that is not atomic
cp "$here/../../examples/bank_account.c" .
"$stalemate" cc -g -O1 -pthread -o bank_account bank_account.c
"$stalemate" atomicity --quiet --seed 1 --trials 20 --out units -- ./bank_account </dev/null && fail "status 0"
"$stalemate" hunt --quiet --seed 1 --trials 10 --out units -- ./bank_account </dev/null && fail "status 0"
"$stalemate" report --sarif units.sarif --junit units.xml --html units.html units >output && fail "status 0"
has "withdraw is not atomic for account" output
"$checkers/report-check-sarif" units.sarif || fail "units.sarif is not as SARIF has it"
has '"ruleId": "atomicity/violation"' units.sarif
has 'the last event with a place' units.sarif
"$checkers/report-check-xml" units.xml || fail "units.xml is not well-formed"
has 'withdraw-1.smw":' units.html

# a second program does not write over the witness of the first
cp "$here/../hunt/programs/store_buffering.c" .
"$stalemate" cc -g -O1 -pthread -o store_buffering store_buffering.c
before=$(cksum <others/verify-c11-1.witness)
"$stalemate" verify --quiet --out others --model c11 -- ./store_buffering </dev/null && fail "status 0"
[ "$before" = "$(cksum <others/verify-c11-1.witness)" ] || fail "a witness was written over"

# fingerprints do not depend on lines
fingerprints() {
    grep -A 1 '"partialFingerprints"' "$1" | grep stalemate/v1 | sort
}
fingerprints report.sarif >before
mkdir moved
{ echo "/* one line more */"; cat message_passing.c; } >moved/message_passing.c
cd moved
"$stalemate" cc -g -O1 -pthread -o message_passing message_passing.c
"$stalemate" hunt --seed 1 --trials 40 --no-prescient --quiet -- ./message_passing </dev/null && fail "status 0"
"$stalemate" report --quiet --sarif report.sarif && fail "status 0"
fingerprints report.sarif >after
[ -s after ] || fail "no fingerprints"
while read -r line; do has "$line" ../before; done <after
cd ..

# Chrome trace events: both threads, the surprise and where it comes from
"$checkers/report-check-trace" report.trace || fail "report.trace is not as Perfetto takes it"
has '"name": "read data = 0"' report.trace
has '"cat": "surprise"' report.trace
has '"name": "did not see"' report.trace
has '"name": "happens-before"' report.trace
has '"name": "./message_passing: data"' report.trace

# DOT
has 'label="./message_passing: data"' report.dot
has 'label="did not see"' report.dot
[ "$(tr -cd '{' <report.dot | wc -c)" = "$(tr -cd '}' <report.dot | wc -c)" ] || fail "braces"

# JUnit
"$checkers/report-check-xml" report.xml || fail "report.xml is not well-formed"
has '<testcase classname="./message_passing" name="race on data"' report.xml
has 'tests="2" failures="1" errors="0" skipped="0"' report.xml
has '<failure type="deadlock"' report.xml

# the page: nothing in it is fetched, and nothing of the data can end its script
if grep -n -i -E '<(img|iframe|object|embed|base)|src=|@import|url\(|fetch\(|XMLHttpRequest|href="[^#d]' \
    page.html; then
    fail "the page may ask for something"
fi
has "default-src 'none'" page.html
has 'assert(data == 42);' page.html
# scripts FILE: each element of data ends where it must, and one script follows.
scripts() {
    data=$(grep -c '<script type="application/json" id=' "$1")
    [ "$(grep -c '</script>' "$1")" = $((data + 1)) ]
}
scripts page.html || fail "some data ends its script"
grep -q '@[A-Z]*@' page.html && fail "a mark was left in the page"

# what fix has found is a result, too, with the patch as a fix
"$stalemate" fix --quiet --out fixed -- ./message_passing </dev/null && fail "fix: status 0"
"$stalemate" report --quiet --sarif fixed.sarif fixed && fail "status 0"
"$checkers/report-check-sarif" fixed.sarif || fail "fixed.sarif is not as SARIF has it"
has '"artifactChanges"' fixed.sarif

# a name that is markup stays text
mkdir "odd<b>&"
cp message_passing "odd<b>&/script>"
cd "odd<b>&"
"$stalemate" hunt --seed 1 --trials 20 --no-prescient --quiet -- "../odd<b>&/script>" "</script>" </dev/null ||
    [ $? = 1 ] || fail "cannot hunt"
"$stalemate" report --quiet --html page.html --junit report.xml --sarif report.sarif || [ $? = 1 ]
"$checkers/report-check-xml" report.xml || fail "a name is not escaped in report.xml"
"$checkers/report-check-sarif" report.sarif || fail "a name is not escaped in report.sarif"
scripts page.html || fail "a name ended the script"
