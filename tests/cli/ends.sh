#!/bin/sh
# How a program ends, and what is said of it.
. "$(dirname "$0")/../common.sh"
build victim.c
run() {
    says "$1" "$2" "$stalemate" run $3 -- ./victim $4
}

run 0 "ok: exit status 0" "" ""
also "hello"
run 1 "FAILED: exit: exit status 5, expected 0" "" "exit 5"
also "replay with: stalemate run --seed 1 -- ./victim exit 5"
run 0 "ok: exit status 5" "--expect-exit 5" "exit 5"
run 1 "exit status 0, expected 5" "--expect-exit 5" "exit 0"
run 1 "FAILED: signal: SIGSEGV (Segmentation fault) at address 0x0, a NULL pointer" "" crash
also "victim.c:"
also "(main)"
run 1 "FAILED: signal: SIGABRT" "" abort
run 1 "FAILED: signal: SIGKILL" "" kill
run 1 "FAILED: assert:" "" assert
also "shared == 77"
run 1 "FAILED: deadlock:" "" deadlock
also "thread 0 holds 'first' ("
also "thread 1 holds 'second' (:"
also "and wants 'first' (:"
also "Let go of the lock before waiting."
run 1 "FAILED: hang:" "--steps 1000" spin
# A slow machine takes longer to get to the first line of the program.
for seconds in 0.3 3 30 300; do
    run 1 "FAILED: hang: still running after $seconds s" "--timeout $seconds" spin
    ! grep -q spinning output || break
done
also "spinning"
run 3 "used more than 128 MiB of memory and was stopped; to allow more: --memory" \
    "--memory 128" eat
for command in run hunt verify; do
    (
        ulimit -v 4000000
        says 3 "is there a limit on address space? try: ulimit -v unlimited" \
            "$stalemate" $command -- ./victim
        never "report it"
    ) || exit 1
done
run 0 "father of 7" "" fork
also "child"
run 3 "uses a lock, barrier or semaphore that it shares with the child of a fork" "" process
run 3 "uses a lock, barrier or semaphore that it shares with the child of a fork" "" both
run 0 "ok" "" after
run 1 "FAILED: deadlock: thread 0 waits for a semaphore" "" nobody
says 3 "the program forks; verify explores the threads of one process" \
    "$stalemate" verify -- ./victim fork

# The oracle reads the program's output.
says 0 "ok" "$stalemate" run --oracle 'grep -q hello' -- ./victim
says 1 "FAILED: oracle: the oracle 'grep -q bye' rejects the output" \
    "$stalemate" run --oracle 'grep -q bye' -- ./victim
says 2 "cannot be run" "$stalemate" run --oracle /no/such/oracle -- ./victim
says 3 "had not answered when the time was over" \
    "$stalemate" hunt --time 2 --oracle 'sleep 1000' -- ./victim
says 0 "0 racy variables" "$stalemate" hunt --time 60 --trials 4 --oracle 'sleep 0' -- ./victim

# JSON on standard output stands alone; on a file too.
"$stalemate" run --json - -- ./victim exit 5 >result.json 2>/dev/null </dev/null && fail "status 0"
for key in '"tool": "stalemate"' '"command": "run"' '"exit": 5' '"kind": "exit"' '"events": ' \
    '"trace_hash": "' '"seed": 1' '"model": "sc"'; do
    grep -q -F -e "$key" result.json || { cat result.json; fail "no $key in the JSON"; }
done
[ "$(head -c 1 result.json)" = "{" ] || fail "something stands before the JSON"
says 2 "cannot write /no/such/dir/x: No such file" "$stalemate" run --json /no/such/dir/x ./victim
says 2 "cannot write /dev/full: No space left on device" "$stalemate" run --json /dev/full ./victim

says 2 "did you mean shared?" "$stalemate" run --watch shred ./victim
says 0 "ok" "$stalemate" run --watch shared ./victim
says 0 "hello" "$stalemate" run --quiet ./victim
never "stalemate"

# Started without standard files, it takes no harm.
"$stalemate" run --json result.json -- ./victim <&- >&- 2>&- || fail "without standard files"
grep -q '"exit": 0' result.json || fail "without standard files"
