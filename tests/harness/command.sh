#!/bin/sh
# command.sh BIN-DIR SCRATCH: the command `harness` itself: its messages, its options, and what the
# test that it writes says.
. "$(dirname "$0")/../common.sh"
cp "$here"/headers/* "$here"/structures/* .

# ---- bad input ----
says 2 "no header given" "$stalemate" harness
says 2 "cannot read the header missing.h" "$stalemate" harness missing.h
echo "int f(unknown_t x);" >bad.h
says 2 "bad.h does not compile: bad.h:1: error: unknown type name 'unknown_t'" \
    "$stalemate" harness bad.h
also "stalemate harness bad.h -- -I DIR"
says 2 "unknown type name" "$stalemate" harness bad.h -- -Dother=int
echo "int f(unknown_t x), reset(void);" >bad.h
says 0 "combinations" "$stalemate" harness bad.h -- -Dunknown_t=int
echo "struct s { int x; };" >none.h
says 2 "none.h declares no function" "$stalemate" harness none.h
says 2 "no function of callbacks.h can be called from threads" "$stalemate" harness callbacks.h
also "left out: void bus_subscribe(struct bus *bus, void (*)(int) call): no void (*)(int) can be made up for its parameter 2"
also "left out: void bus_log(struct bus *bus, const char *format, ...): it takes a variable number of arguments"
also "it takes more than one struct bus *"
also "no char * can be made up for its parameter 2"
also "declare one around it"
echo "int f(int);" >global.h
says 2 "none puts global state back" "$stalemate" harness global.h
echo "struct o; int f(struct o *);" >opaque.h
says 2 "no function of opaque.h creates a struct o" "$stalemate" harness opaque.h
says 2 "--init nobody: tally.h declares no such function" "$stalemate" harness tally.h --init nobody
says 2 "--exclude nobody" "$stalemate" harness tally.h --exclude nobody
says 2 "--threads wants a whole number" "$stalemate" harness tally.h --threads 1
says 2 "cannot write /nowhere/test.c" "$stalemate" harness tally.h -o /nowhere/test.c
says 2 "-o" "$stalemate" verify -o x -- true

# ---- who does what ----
says 0 "creates   struct slots *slots_create(unsigned int n)" "$stalemate" harness slots.h --list
also "destroys  void slots_destroy(struct slots *slots)"
also "after a success of slots_alloc by the same thread"
also "finally   slots_alloc()*"
never "left out"
says 0 "object    none: global state" "$stalemate" harness tally.h --list
also "creates   void tally_reset(void)"
says 0 "calls     int tally_add(int amount)" "$stalemate" harness tally.h --list --include tally_add
never "calls     int tally_total"
says 0 "parameter 2: 1 or 2" "$stalemate" harness set.h --list

# ---- how many ----
says 0 "84 of 84 combinations, 2 threads, 2 calls each" "$stalemate" harness tally.h -o test.c
also "stalemate verify --first -- ./test"
says 0 "10 of 84 combinations" "$stalemate" harness tally.h -o few.c --combinations 10
[ "$(grep -c '^    ".*|.*",$' few.c)" = 10 ] || fail "not ten combinations"
says 0 "about " "$stalemate" harness set.h -o many.c --threads 3 --combinations 10
! "$stalemate" harness tally.h --quiet 2>&1 >stdout.c | grep . || fail "--quiet says something"
cmp -s stdout.c test.c || fail "another test on standard output"

# ---- what a failure says, and one combination alone ----
"$stalemate" cc -g -O1 -pthread -c test.c || fail "no test"
"$stalemate" cc -g -O1 -pthread -DBROKEN -o tally test.o tally.c || fail "no tally"
says 1 "A: tally_add(1) = 1" "$stalemate" verify --first -- ./tally '| tally_add(1) | tally_add(2)'
also "B: tally_add(2) = 2"
also "at the end: tally_total() = "
also "nearest order: "
also "this combination alone: '| tally_add(1) | tally_add(2)'"
says 0 "" "$stalemate" verify -- ./tally '| tally_add(1) | tally_total()'
says 0 "" "$stalemate" verify -- ./tally '| tally_add(1) | tally_add(2) | A1<B1'
says 2 "combination: no such function" ./tally '| nonsense()'
says 2 "combination: ')' expected" ./tally '| tally_add(1'
says 2 "there are combinations 0 to 83" ./tally 84

# ---- what is real time: an imposed order shows what program order does not ----
"$stalemate" harness --quiet lazy.h -o test_lazy.c
"$stalemate" cc -g -O1 -pthread -o lazy test_lazy.c lazy.c || fail "no lazy"
says 0 "" "$stalemate" verify -- ./lazy '| lazy_write(1) lazy_read() | lazy_read() lazy_read()'
says 1 "A1 returned before B2 began" "$stalemate" verify --first -- ./lazy \
    '| lazy_write(1) lazy_read() | lazy_read() lazy_read() | A1<B2'

# ---- calls that wait: without the option the sequential run is a deadlock ----
"$stalemate" harness --quiet hand.h -o test_hand.c --waits hand_take=hand_give --combinations 20
"$stalemate" cc -g -O1 -pthread -o hand test_hand.c hand.c || fail "no hand"
says 0 "" "$stalemate" verify --jobs 1 -- ./hand
never "not complete"
! grep -q '"| hand_take() |' test_hand.c || fail "a combination in which the taker waits for ever"
says 2 "--waits wants FUNC=OTHER" "$stalemate" harness hand.h --waits hand_take=nobody

# ---- calls that may fail ----
"$stalemate" harness --quiet gate.h -o test_gate.c --combinations 20
"$stalemate" cc -g -O1 -pthread -o gate test_gate.c gate.c || fail "no gate"
says 1 "gate_try_add" "$stalemate" verify --first --jobs 1 -- ./gate
"$stalemate" harness --quiet gate.h -o test_gate.c --combinations 20 --may-fail gate_try_add
"$stalemate" cc -g -O1 -pthread -o gate test_gate.c gate.c || fail "no gate"
says 0 "" "$stalemate" verify --jobs 1 -- ./gate

# ---- C++ ----
printf 'extern "C" {\n#include "tally.h"\n}\ninline void start() { tally_reset(); }\ninline int add(int amount) { return tally_add(amount); }\n' >tally.hpp
"$stalemate" harness --quiet tally.hpp -o test_tally.cpp || fail "no test for C++"
"$stalemate" cc -g -O1 -DBROKEN -c tally.c && "$stalemate" c++ -g -O1 -pthread -o tally_cpp \
    test_tally.cpp tally.o || fail "no test in C++"
says 1 "explains their results" "$stalemate" verify --first --jobs 1 -- ./tally_cpp
