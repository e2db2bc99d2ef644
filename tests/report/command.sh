#!/bin/sh
# What the command says and how it exits.
. "$(dirname "$0")/common.sh"
report="$stalemate report"

# nothing there, and nothing is made
says 2 "make some with: stalemate hunt" $report
[ ! -e .stalemate ] || fail "a report made a store"
says 2 "one directory at a time" $report one two
says 2 "did you mean --html?" $report --htm page.html
says 0 "usage: stalemate report" $report --help

# the table, and what was found is the exit status
hunt hunt/programs/message_passing.c
says 1 "destructive: race on data: produce() " $report
has "2 racy variables: 1 destructive, 1 benign" output
has "replay with: stalemate replay .stalemate/witnesses/data-1.smw" output
says 1 "./message_passing (" $report .stalemate

# on a terminal: colors unless NO_COLOR, and rows as wide as it is
script -qec "stty cols 80; $report" /dev/null >colored </dev/null && fail "status 0"
grep -q "$(printf '\033')" colored || fail "no colors on a terminal"
NO_COLOR=1 script -qec "stty cols 80; $report" /dev/null </dev/null | tr -d '\r' >plain
grep -q "$(printf '\033')" plain && fail "colors with NO_COLOR"
has "message_passing.c:18" plain
[ "$(grep '^data  ' plain | wc -L)" -le 80 ] || fail "a row is wider than the terminal"

# the same as the hunt itself says
$stalemate hunt --no-exact --seed 1 --trials 40 --no-prescient -- ./message_passing >hunted </dev/null && fail "status 0"
$report >reported && fail "status 0"
grep -v executions hunted >hunted.findings
sed 1d reported | grep -v executions >reported.findings
cmp hunted.findings reported.findings || fail "hunt and report differ"

# nothing bad found
hunt hunt/programs/racy_init_loop.c --heuristic sc --out quiet
says 0 "1 benign" $report quiet

# files
says 2 "cannot write /no/page.html" $report --html /no/page.html
says 2 "only one of the formats" $report --sarif - --junit -
$report --quiet --json result.json >output 2>&1 && fail "status 0"
[ ! -s output ] || fail "--quiet is not quiet"
has '"command": "report"' result.json
has '"verdict": "destructive"' result.json

# a store that was moved, and one whose witnesses are gone
mv .stalemate moved
$report --quiet --html page.html moved && fail "status 0"
has '"witnesses":{".stalemate/witnesses/data-1.smw":0' page.html
rm -r moved/witnesses
$report --quiet --html page.html moved && fail "status 0"
has '"witnesses":{}' page.html
