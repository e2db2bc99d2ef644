#!/bin/sh
# run.sh BIN-DIR SCRATCH [--write]: what the commands say of a bug of each kind. The messages are
# those of docs/messages.md; --write makes that page.
. "$(dirname "$0")/../common.sh"
page=$here/../../docs/messages.md
cp "$here"/*.c "$here"/*.cpp .
hunt="$stalemate hunt --seed 1 --jobs 1 --trials 60"

# show TITLE SED-SCRIPT COMMAND...: a section of the page, from what was printed last.
show() {
    title=$1 script=$2
    shift 2
    {
        printf '\n## %s\n\n`%s`\n\n```\n' "$title" "$*"
        sed -n "$script" output | sed 's/, [0-9.]* s$/, 0.01 s/; /^$/d'
        printf '```\n'
    } >>made
}

# tell STATUS TITLE SED-SCRIPT COMMAND...: runs it, and shows those lines.
tell() {
    status=$1 title=$2 script=$3
    shift 3
    command=$*
    rm -rf .stalemate
    says "$status" "" sh -c "$(echo "$command" | sed "s|^stalemate|$stalemate|")"
    show "$title" "$script" "$command"
}

compile() {
    case $1 in
    *.cpp) "$stalemate" c++ -g -O1 -pthread -o "${1%.cpp}" "$1" ;;
    *) "$stalemate" cc -g -O1 -pthread -o "${1%.c}" "$1" ;;
    esac || fail "cannot build $1"
}
for source in *.c *.cpp; do
    compile "$source"
done

cat >made <<'END'
# Messages

What the commands say of a bug of each kind: what happened, where, why it is allowed, what to do. The test `messages.page` makes this page of the programs in `tests/messages/` and compares.
END

# A deadlock names the cycle of locks, and the remedy.
tell 1 "A deadlock" '/^failure/,/^$/p' stalemate hunt --seed 1 --jobs 1 --trials 60 -- ./abba
also "deadlock: thread 1 holds 'a' (abba.c:5) and wants 'b' (abba.c:6); thread 2 holds 'b' (:13) and wants 'a' (:14). Lock both in one order."
also "An unlucky interleaving is enough; no data race is involved."
never "to end held by"

tell 1 "A deadlock of locks in objects" '/^failure/,/^$/p' stalemate hunt --seed 1 --jobs 1 --trials 60 -- ./cache
also "thread 1 holds 'mutex_' (cache.cpp:14 in Entry::with) and wants 'mutex_' #2 (cache.cpp:27 in Cache::charge)"
also "thread 2 holds 'mutex_' #2 (:37 in Cache::recount) and wants 'mutex_' (:9 in Entry::fill). Lock both in one order."
also "1 failure, 0 racy variables"
never "/usr/"
never "object at 0x"
never "lock-order" # it happens: see the deadlock

tell 1 "A lost wake-up" '/^failure/,/^$/p' stalemate hunt --seed 1 --jobs 1 --trials 60 -- ./lost
also "waits for a condition variable 'ready_cond' (lost.c:"
also "The signal by thread 2 (lost.c:21) came before the wait, and found nobody waiting."

# An update that is not atomic, and two critical sections that should be one.
tell 1 "A lost update" '/^destructive: race on hits/,/^$/{p;/^$/q}' \
    stalemate hunt --seed 1 --jobs 1 --trials 60 --model sc -- ./counters
also "this order of the threads is enough, on every machine:"
also "Make the update at counters.c:"

# A race in the C++ library is told with the user's variable and lines.
tell 1 "A race in an object of the C++ library" '/^destructive: race on g_config/,/^$/{p;/^$/q}' \
    stalemate hunt --seed 1 --jobs 1 --trials 60 --model sc -- ./config
also "race on g_config (std::shared_ptr): reload() config.cpp:15 assigns while worker() config.cpp:20 copies"
never "std::enable_if"
never "__b"
never "/usr/"

# A stale value: elements by index, threads by start function, the source beside it, the model with
# what it takes.
tell 1 "A stale value" '/^destructive: race on ring/,/^$/{p;/^$/q}' \
    stalemate hunt --no-exact --seed 1 --jobs 1 --trials 60 --model pso -- ./ring
also "ring[0] still showed its initial 0, though thread 1 (producer) had stored 1; nothing orders the two"
also "under pso: stores reordered (ARM, or the compiler; not x86)"
also "ring[head % N] = i;"
never "held at the start"

# Findings with one cause are one finding, with the others under it.
tell 1 "Several findings with one cause" '/^destructive/,/^$/{p;/^$/q}' \
    stalemate hunt --seed 1 --jobs 1 --trials 60 --json published.json -- ./published
also "Store shared with release order at published.c:15, and load it with acquire order at published.c:21"
also "race on shared: publish() published.c:15 writes while use() published.c:21 reads"
also "2 more findings, likely with the same cause:"
also "race on item.height: publish() published.c:14 writes"
also "race on item.width: publish() published.c:13 writes"
[ "$(grep -c '^destructive: ' output)" = 1 ] || { cat output; fail "one cause, several findings"; }
grep -q '"cause": "[^"]*/witnesses/shared-1.smw"' published.json || fail "no cause in the JSON"
says 1 "race on hits" $hunt -- ./counters
also "race on misses"
[ "$(grep -c '^destructive: ' output)" = 2 ] || { cat output; fail "two causes, one finding"; }
[ "$(grep -c '^failure: ' output)" = 2 ] || { cat output; fail "a failure under sc is not a finding"; }
[ "$(grep -c 'likely with the same cause as race on' output)" = 2 ] || { cat output; fail "the assertions are not with their races"; }

# An assignment that the compiler made is that of the line which assigns.
tell 1 "An object, and a thread that begins in a lambda" '/^destructive: race on Route/,/^$/{p;/^$/q}' \
    stalemate hunt --seed 1 --jobs 1 --trials 60 --model sc -- ./routes
also "reload() routes.cpp:19 assigns while main() routes.cpp:28 copies"
also "thread 1 · main::lambda in reload assigns"
never "struct Route {"

# What repeats is told once, with a count.
tell 1 "A stale value, many times" '/^destructive/,/^$/{p;/^$/q}' \
    stalemate hunt --seed 1 --jobs 1 --trials 60 --model c11 --unfair -- ./many
also "(and 1,999 more)"
[ "$(grep -c 'still showed' output)" = 1 ] || { cat output; fail "a repetition is told twice"; }
never "and more reads like these"

# A program that fails by itself.
tell 1 "A crash" '/^failure/,/^$/p' stalemate hunt --seed 1 --jobs 1 --trials 60 -- ./crash
also "the program crashes by itself at crash.c:5 in main: SIGSEGV (Segmentation fault) at address 0x0, a NULL pointer"
never "lie is told"
tell 1 "A stack overflow" '/FAILED/,/replay/p' stalemate run -- ./deep
also "stack overflow: SIGSEGV"
also "#1 to #63 down  deep.c:6:12 (63 times)"
[ "$(grep -c deep.c output)" = 3 ] || { cat output; fail "frames are not folded"; }

# Native detection and atomicity speak alike.
"$stalemate" cc --detect -g -O1 -pthread -o plain-detect plain.c || fail "cannot build"
tell 1 "A race, by native detection" '1,2p; /what to do/p' stalemate detect -- ./plain-detect
also "set() plain.c:8 writes while get() plain.c:14 reads; nothing orders the two"
also "write by thread 1 · set"
also "read by thread 2 · get"
cp "$here/../../examples/bank_account.c" .
compile bank_account.c
tell 1 "Units that are not atomic" '/^harmful/,/^$/{p;/^$/q}' \
    stalemate atomicity --seed 1 --trials 20 -- ./bank_account
also "thread 1 · customer reads account.balance in withdraw, by bank_account.c:49"
also "what to do: Hold the lock that is taken at bank_account.c:22 across all of withdraw"

# verify: outputs under a heading, blocked explained, mutexes and lines in the events.
tell 0 "The outputs of a test" 'p' stalemate verify -- ./assume
also "outputs:"
also "  blocked: 1 partial execution that no execution of the program extends (an assumption fails,"
[ "$(grep -c 'blocked:' output)" = 1 ] || fail "blocked takes more than a line"
tell 1 "An execution that verify found" '1,12p' stalemate verify -- ./abba
grep -q '#4 .*thread 1 .*lock a .*abba.c:5$' output || { cat output; fail "no mutex and line"; }
also "Lock both in one order."
says 1 "stores that a load may see before they happen" "$stalemate" verify --model hb -- ./buffering
never "write set"
tell 1 "Store buffering, by verify" '1,/what to do/p' stalemate verify --model c11 -- ./buffering
also "still showed its initial 0, though thread 1 (left) had stored 1; nothing orders the two"
also "Put a seq_cst fence before the load at buffering.c:8 and before the one at buffering.c:14"
never "no stale value"
for model in tso c11; do
    says 1 "violation" "$stalemate" verify --model $model -- ./buffering
    also "race on x: left() buffering.c:7 writes while right() buffering.c:14 reads"
    also "race on y: left() buffering.c:8 reads while right() buffering.c:13 writes"
done

# A model, with what it takes.
says 1 "under tso: stores delayed past later loads (x86, ARM, or the compiler)" $hunt -- ./buffering

# A replay that departs, or cannot begin.
echo 0 >state
says 0 "" "$stalemate" run --record departs.witness -- ./departs
echo 7 >state
tell 3 "A replay that departs" '/NOT/p' stalemate replay departs.witness
grep -q 'NOT reproduced: departed at event [0-9]*: ' output || { cat output; fail "departure: not said"; }
never "ok: exit status"
mv departs moved
tell 2 "A replay whose program was moved" 's|: /[^;]*/departs;|: /home/user/departs;|p' \
    stalemate replay departs.witness
also "say where it is now: stalemate replay --program PATH departs.witness"
never "No such file"

# An event without a place is told without one.
says 0 "" "$stalemate" run --record turns.witness -- ./turns
echo 0 >state
says 3 "NOT reproduced: departed at event " "$stalemate" replay turns.witness
never "?"

# A lock that has no name in the source.
says 1 "double-lock: the mutex at 0x" "$stalemate" run -- ./unnamed
also "is locked again by the thread that holds it"
never "{data"
never "{code"
never "{lock"

# Where a model is needed, though no lie is, the order of the threads is not enough on every machine.
short="$stalemate hunt --seed 1 --jobs 1 --trials 60"
says 1 "breaks the program under c11" $short -- ./told count
also "this order of the threads is enough under c11:"
never "on every machine"

# The value of bit-fields is that of their unit, and so is the name.
says 1 "breaks the program under sc" $short -- ./told gate
also "thread 2 · lower_it writes gate.{up,down} = 2"
also "this order of the threads is enough, on every machine:"
never "reads gate.up"

# An object has one name in a text, whatever parameter it is in each thread.
says 1 "thread 1 holds 'from->lock' (told.c:57 in transfer) and wants 'to->lock' (told.c:58 in transfer)" \
    $short -- ./told bank
also "thread 2 holds 'to->lock' (:57 in transfer, as 'from->lock') and wants 'from->lock' (:58 in transfer, as 'to->lock')"

# A read-write lock is not made recursive.
says 1 "is locked for writing by a thread that holds it for reading, locked at told.c:85" $short -- ./told promote
also "unlock a read-write lock before it is locked for writing"

# A struct without a name goes by the variable's.
says 1 "rise is not atomic for level (level.n)" \
    "$stalemate" atomicity --seed 1 --jobs 1 --trials 20 --unit rise -- ./told level

# Nothing to tell.
says 0 "0 racy variables" $hunt -- ./fine
never "destructive"
never "failure"
says 0 "race-free, hence sequentially consistent" "$stalemate" verify -- ./fine
never "blocked:"
never "outputs:"

# No message has an address in braces, or a question mark for a name.
! grep -E '\{(data|code) |^ *[#0-9]* *\?|: \?$' made || fail "an unresolved name"

if [ "${3-}" = --write ]; then
    cp made "$page"
else
    diff -u "$page" made || fail "docs/messages.md is not what the commands say; tests/messages/run.sh ... --write"
fi
