#!/bin/sh
# campaign.sh BIN-DIR SCRATCH JSON-WITHOUT: many tests with one budget, from lists of three kinds.
. "$(dirname "$0")/common.sh"
programs=$here/../hunt/programs
for name in message_passing initialised_again locked_update; do
    "$stalemate" cc -g -O1 -pthread -o $name "$programs/$name.c"
done

cat >tests.txt <<'EOF'
# a comment, and an empty line

passing: ./message_passing
./initialised_again
gone: ./is_not_there 'an argument'
EOF
says 1 "passing: destructive: data" "$stalemate" campaign --trials 10 --out all --json first.json tests.txt
also "gone: not run: ./is_not_there: No such file"
also "3 tests, 2 destructive races, 0 failures, 1 other races"
grep -q '"complete": *true' first.json || fail "not all are saturated"
# Where verify has decided, one round that shows nothing new is enough; else it takes three.
also "passing: round 2"
grep -q '"exact": *false' first.json || never "passing: round 3" # verify has a limit by time
grep -q '"new": *true' first.json || fail "without a baseline all is new"
[ -e "$(grep -o '"witness": *"[^"]*' first.json | head -1 | cut -d'"' -f4)" ] || fail "no witness"

# A test that fails comes on: the same command resumes, and only what is new makes it fail.
says 0 "new since the baseline: 0, 0, 0" "$stalemate" campaign --trials 10 --out all --baseline first.json tests.txt
never "passing: round"
"$stalemate" cc -g -O1 -pthread -o lost_update "$programs/lost_update.c"
echo ./lost_update >>tests.txt
says 1 "lost_update: new: destructive: balance" "$stalemate" campaign --trials 10 --out all --baseline first.json \
    --json second.json tests.txt
never "passing: round"
also "new since the baseline: 1, 1, 0"
# A program that was built anew is not saturated any more.
"$stalemate" cc -g -O0 -pthread -o message_passing "$programs/message_passing.c"
"$stalemate" campaign --trials 10 --out all --baseline second.json tests.txt >output 2>&1 || [ $? = 1 ] || fail anew
also "passing: round"
never "lost_update: round"

# The twin: nothing races.
echo ./locked_update >twin.txt
says 0 "1 tests, 0 destructive races, 0 failures, 0 other races" "$stalemate" campaign --trials 10 --out twin twin.txt
also saturated
also "round 3"

# What CTest and Meson print, with directory and environment.
mkdir -p somewhere
cp message_passing somewhere/here
cat >ctest.json <<'EOF'
{"kind": "ctestInfo", "tests": [
 {"name": "in.a.directory", "command": ["./here"], "properties": [
  {"name": "WORKING_DIRECTORY", "value": "somewhere"}, {"name": "ENVIRONMENT", "value": ["COLOUR=blue"]}]},
 {"name": "disabled", "command": ["./here"], "properties": [{"name": "DISABLED", "value": true}]},
 {"name": "not.built"}]}
EOF
says 1 "1 tests, 2 destructive races" "$stalemate" campaign --trials 10 --out ctest ctest.json
also "in.a.directory: destructive: data"
cat >meson.json <<'EOF'
[{"name": "one", "cmd": ["./here"], "workdir": "somewhere", "env": {"COLOUR": "blue"}, "suite": ["x"]},
 {"name": "one", "cmd": ["./locked_update"], "workdir": null, "env": {}}]
EOF
says 1 "2 tests, 2 destructive races" "$stalemate" campaign --trials 10 --out meson meson.json
also "one-2"
# And of a build directory.
mkdir -p cmake build/meson-info
cat >cmake/CMakeLists.txt <<EOF
cmake_minimum_required(VERSION 3.20)
project(tests NONE)
enable_testing()
add_test(NAME passing COMMAND $PWD/message_passing)
EOF
cmake -S cmake -B cmake/build >log 2>&1 || { cat log; fail cmake; }
says 1 "1 tests, 2 destructive races" "$stalemate" campaign --trials 10 --out c cmake/build
echo '[{"name": "passing", "cmd": ["./message_passing"]}]' >build/meson-info/intro-tests.json
says 1 "1 tests, 2 destructive races" "$stalemate" campaign --trials 10 --out m build

says 2 "cannot read" "$stalemate" campaign no-list
says 2 "neither CMake nor" "$stalemate" campaign somewhere
says 2 "no test in" "$stalemate" campaign /dev/null
says 2 "one list of tests" "$stalemate" campaign
echo "{" >broken.json
says 2 "not valid JSON" "$stalemate" campaign broken.json
echo ./is_not_there >gone.txt
says 3 "no test could be run; the first: ./is_not_there" "$stalemate" campaign --out gone gone.txt
