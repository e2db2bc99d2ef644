#!/bin/sh
# kinds.sh BIN-DIR SCRATCH [--write]: docs/kinds.md, made of abi/failures.def and of one real report
# of each kind. --write makes the page, else the page is compared.
. "$(dirname "$0")/../common.sh"
page=$here/../../docs/kinds.md

# word|severity|family|about|advice, one line a kind
kinds() {
    { tr '\n' ' ' <"$here/../../abi/failures.def" && echo; } | sed 's/SM_FAILURE(/\n/g' | sed 's/"  *"//g' |
        sed -n 's/^[A-Z_]*, "\([a-z-]*\)", \([A-Z]*\), "\([a-z-]*\)", *"\([^"]*\)", *"\([^"]*\)").*/\1|\2|\3|\4|\5/p'
}

# The program that shows the kind: source and case (harm.h, ../locks/cases.h), and the command;
# nothing: none yet.
example() {
    case $1 in
    use-after-free) echo memory read_outside_of_lock hunt --seed 1 --jobs 1 --trials 20 ;;
    double-free) echo memory both_threads_free run ;;
    invalid-free) echo memory free_of_the_middle run ;;
    uninitialised) echo uninitialised published_before_written verify --uninitialised ;;
    heap-overflow) echo memory tested_outside_of_lock verify ;;
    lost-wakeup) echo progress tested_outside_of_lock verify ;;
    stack-use) echo stack result_on_the_stack run ;;
    livelock) echo progress waits_with_the_lock verify ;;
    leak) echo leaks both_threads_publish run ;;
    thread-leak) echo leaks never_joined run ;;
    handler-errno) echo handlers errno_looked_at run ;;
    handler-unsafe) echo handlers memory_allocated run ;;
    double-lock) echo mutex relock run ;;
    unlock-not-held) echo mutex unlock_twice run ;;
    unlock-by-other) echo mutex unlock_others run ;;
    destroy-held) echo mutex destroy_own run ;;
    use-destroyed) echo mutex lock_destroyed run ;;
    double-init) echo mutex init_twice run ;;
    cond-misuse) echo others wait_unlocked run ;;
    barrier-misuse) echo others barrier_renewed run ;;
    join-misuse) echo others join_twice run ;;
    held-at-exit) echo others ends_holding run ;;
    lock-order) echo order inverted run ;;
    unchecked-error) echo results relock run ;;
    esac
}

for source in "$here"/*.c "$here"/../locks/*.c; do
    cp "$source" "$here"/harm.h "$here"/../locks/cases.h .
    name=$(basename "$source" .c)
    "$stalemate" cc -g -O1 -pthread -w -o "$name" "$name.c" || fail "cannot build $name.c"
done

# show SOURCE CASE COMMAND...: what it says, but for what differs from run to run.
show() {
    source=$1 name=$2
    shift 2
    printf '\n`stalemate %s -- ./%s %s`\n\n```\n' "$*" "$source" "$name"
    rm -rf .stalemate
    "$stalemate" "$@" -- "./$source" "$name" >output 2>&1 </dev/null && ! grep -q '^stalemate: warning:' output &&
        fail "$source $name: nothing is found"
    sed -e '/^failure:/,/^$/!{/^stalemate: FAILED/,/replay with/!{/^stalemate: warning/,/^stalemate: ok/!{/^violation:/,/replay with/!d}}}' \
        -e 's/, trace [0-9a-f]*$//; /^ *[0-9]* events, /d; /^stalemate: ok/d; /^$/d' output
    printf '```\n'
}

{
    cat <<'END'
# Kinds of failure

What an execution may be found to have done wrong. The list is [abi/failures.def](../abi/failures.def); its words stand in JSON (`"failure": {"kind": …}`), in SARIF (rule `failure/WORD`), in witnesses and on the page. An **error** ends the execution at that place and is a failure as a failed assertion is: it has a witness, a race that leads to it is destructive, and in `verify` it is a violation. A **warning** is told, and the execution goes on. A line `FAMILY:PATTERN` in a file of `--suppressions` leaves a kind out of a hunt. The test `harm.kinds` makes this page of the programs in `tests/harm/` and compares.
END
    kinds | while IFS='|' read -r word severity family about advice; do
        printf '\n## %s\n\n%s%s. %s.\n' "$word" "$(echo "$about" | cut -c1 | tr '[:lower:]' '[:upper:]')" \
            "$(echo "$about" | cut -c2-)" "$advice"
        [ -z "$family" ] || printf '\n%s; suppressed by `%s:`.\n' \
            "$([ "$severity" = ERROR ] && echo Error || echo Warning)" "$family"
        # shellcheck disable=SC2046 # words
        [ -z "$(example "$word")" ] || show $(example "$word")
        case $word in
        stack-use) printf '\nA frame that a later call has put in the place of the function'"'"'s is not told from it, and a program that calls `swapcontext` or `setcontext` is not looked at. In `verify` an access of another thread is found that has no order with the return, under sc, tso, pso and c11. Thread-local memory of a thread that has ended is named by its variable; in `verify` an access to it is found if the thread was joined.\n' ;;
        livelock) printf '\nStarvation. A thread that can go on in no continuation although others run for ever is a livelock, too, but only `verify --states` sees it: verify otherwise enumerates executions, which have to end, and `hunt` sees the budget of steps spent (hang). `run` and `hunt` see a livelock in which each thread that can run only repeats the same reads; where a loop sleeps or takes a lock they see a hang. A thread that some schedule passes over for ever, though another would let it go on, is not reported. That would have to be strong fairness, under which a thread that could take a lock again and again does take it. If threads only get their turn again and again, each test-and-set lock, mutex and read-write lock starves somebody, whose turn comes when another thread holds the lock: every program with an endless thread and such a lock would be reported.\n' ;;
        leak | thread-leak) printf '\nTold by `run` and `detect`, and by `hunt` of the executions under sc; with `--leaks` it is a failure, and looked for in every execution. Not by `verify`.\n' ;;
        esac
    done
} >made

if [ "${3:-}" = --write ]; then
    cp made "$page"
else
    diff -u "$page" made || fail "docs/kinds.md is not what the commands say: tests/harm/kinds.sh BIN-DIR SCRATCH --write"
fi
