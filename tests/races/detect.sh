#!/bin/sh
# detect.sh BUILD - the command `stalemate detect`: statuses, JSON, suppressions, messages.
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

expect() { # WHAT STATUS COMMAND...: and leaves the output in ./output
    what=$1 status=$2
    shift 2
    "$@" >output 2>&1
    got=$?
    [ "$got" -eq "$status" ] || fail "$what: status $got, not $status"
}

fail() {
    echo "FAIL $1" >&2
    sed 's/^/  | /' output >&2
    failed=$((failed + 1))
}

says() { # WHAT TEXT
    grep -qF -- "$2" output || fail "$1: does not say: $2"
}

stalemate=$build/bin/stalemate
"$stalemate" cc --detect -O1 "$here/destructive/one_side_locked.c" -o racy || exit 1
"$stalemate" cc --detect -O1 "$here/none/one_side_locked.c" -o clean || exit 1
echo 'int main(void) { return 0; }' >plain.c
cc plain.c -o plain || clang-19 plain.c -o plain || exit 1

expect "clean program" 0 "$stalemate" detect -- ./clean
says "clean program" "0 data races in 1 execution"
expect "racy program" 1 "$stalemate" detect --trials 3 -- ./racy
says "racy program" "race 1: data race on x, seen 3 times"
says "locks" "holding the lock m at"
says "memory" "memory held 0x1 when the race was found"
says "advice" "take the same lock there, too"
says "creation" "was created by thread 0"

# Started by itself: 66 after races, in the process that had them.
cat >parent.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int x;
static void *adds(void *arg)
{
    x++;
    return arg;
}
int main(void)
{
    pthread_t one, two;
    int status;
    pthread_create(&one, NULL, adds, NULL);
    pthread_create(&two, NULL, adds, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    if (fork() == 0)
        exit(3);
    wait(&status);
    return WEXITSTATUS(status);
}
END
"$stalemate" cc --detect -O1 parent.c -o parent || exit 1
expect "racy by itself" 66 ./racy
expect "clean by itself" 0 ./clean
expect "another status" 9 env TSAN_OPTIONS=verbosity=1:exitcode=9 ./parent
expect "the child has no races" 3 env TSAN_OPTIONS=exitcode=0 ./parent

# The child of a process with one thread is looked at; one of a process with several says it is not.
cat >forks.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static void *adds(void *lock)
{
    if (lock)
        pthread_mutex_lock(&m);
    x++;
    if (lock)
        pthread_mutex_unlock(&m);
    return NULL;
}
static void add(void *lock)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, adds, lock);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
static void *waits(void *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}
static void takes(void) { pthread_mutex_lock(&m); }
static void gives(void) { pthread_mutex_unlock(&m); }
static void gives_and_takes(void)
{
    gives();
    takes();
    gives();
}
static int child(const char *how)
{
    pid_t pid = fork();
    int status;
    if (pid == 0) {
        pthread_mutex_unlock(&held);
        add(strcmp(how, "locked") == 0 ? &m : NULL);
        exit(3);
    }
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}
int main(int argc, char **argv)
{
    pthread_t other;
    (void)argc;
    pthread_atfork(takes, gives, gives_and_takes);
    add(&m);
    pthread_mutex_lock(&held);
    if (strcmp(argv[1], "several") == 0)
        pthread_create(&other, NULL, waits, &held);
    int first = child(argv[1]), second = child(argv[1]);
    pthread_mutex_unlock(&held);
    if (strcmp(argv[1], "several") == 0)
        pthread_join(other, NULL);
    return first == second ? first : 1;
}
END
"$stalemate" cc --detect -O1 forks.c -o forks || exit 1
expect "a child with a race" 66 ./forks racy
says "a child with a race" "stalemate: 1 data race found"
[ "$(grep -c 'data race on x' output)" -eq 2 ] || fail "each of two children tells its race"
expect "a child without" 3 ./forks locked
! grep -q stalemate: output || fail "a child without a race: something is told"
expect "a child of several threads" 3 ./forks several
says "a child of several threads" "threads not looked at: the process was forked while others ran (2)"
! grep -q "data race" output || fail "a child of several threads is looked at"
expect "children and the command" 1 "$stalemate" detect --trials 2 -- ./forks racy
says "children and the command" "race 1: data race on x, seen 4 times"
says "children and the command" "1 data race in 2 executions"
expect "children and the command, without" 0 "$stalemate" detect --trials 2 -- ./forks locked

# What libc calls in a thread of its own when a timer expires: it comes after the timer was set.
cat >notified.c <<'END'
#define _GNU_SOURCE
#include "race.h"
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>
struct task { int amount; };
int sum, after_post;
static sem_t expired;
static void expires(union sigval value)
{
    const struct task *task = value.sival_ptr;
    sum += task->amount;
    sem_post(&expired);
    after_post++;
    done(0);
}
int main(int argc, char **argv)
{
    struct task *task = malloc(sizeof *task);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expires};
    struct itimerspec soon = {.it_value.tv_nsec = 1000};
    timer_t timer;
    (void)argc;
    event.sigev_value.sival_ptr = task;
    sem_init(&expired, 0, 0);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
        return 1;
    task->amount = 3;
    timer_settime(timer, 0, &soon, NULL);
    sem_wait(&expired);
    after(0);
    if (strcmp(argv[1], "racy") == 0)
        after_post++;
    timer_delete(timer);
    return sum != 3;
}
END
"$stalemate" cc --detect -O1 -I"$here" notified.c -o notified || exit 1
expect "a timer's thread" 0 ./notified clean
expect "a timer's thread, with a race" 66 ./notified racy
says "a timer's thread, with a race" "data race on after_post"
says "a timer's thread, with a race" "1 data race found"

# The child of clone: with memory of its own it is as after fork. With that of its parent it does not
# disturb the detector, which does not tell the two from each other.
cat >clones.c <<'END'
#define _GNU_SOURCE
#include "race.h"
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
int x;
static int locked;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *adds(void *arg)
{
    if (locked)
        pthread_mutex_lock(&m);
    x++;
    if (locked)
        pthread_mutex_unlock(&m);
    return arg;
}
static int makes_threads(void *unused)
{
    (void)unused;
    run(adds, adds);
    return 3;
}
static int adds_itself(void *unused)
{
    for (int i = 0; i < 100; i++)
        adds(unused);
    return 3;
}
int main(int argc, char **argv)
{
    char *stack = malloc(1 << 20), *top = stack + (1 << 20);
    int status = 0;
    (void)argc;
    locked = strcmp(argv[1], "racy") != 0;
    int shared = strcmp(argv[1], "shared") == 0;
    pid_t child = clone(shared ? adds_itself : makes_threads, top,
                        SIGCHLD | (shared ? CLONE_VM : 0), NULL);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 1;
    run(adds, adds);
    free(stack);
    return WEXITSTATUS(status) + (shared && x != 102);
}
END
"$stalemate" cc --detect -O1 -I"$here" clones.c -o clones || exit 1
"$stalemate" cc -O1 -I"$here" clones.c -o clones_controlled || exit 1
expect "clone, racy" 66 ./clones racy
[ "$(grep -c 'data race on x' output)" -eq 2 ] || fail "child and parent of clone each tell their race"
for how in locked shared; do
    expect "clone, $how" 3 ./clones $how
    ! grep -q stalemate: output || fail "clone, $how: something is told"
    expect "clone, controlled, $how" 0 "$stalemate" detect -- ./clones_controlled $how
done
expect "clone, controlled, racy" 1 "$stalemate" detect -- ./clones_controlled racy

# Without a limit on the stack, libraries lie elsewhere; the program still sees none.
expect "unlimited stack" 66 sh -c 'ulimit -s unlimited; exec ./racy'
says "unlimited stack" "data race on x"
expect "unlimited stack, clean" 0 sh -c 'ulimit -s unlimited; exec ./clean'
expect "a stack of petabytes" 66 sh -c 'ulimit -s 100000000000000; exec ./racy'
"$stalemate" cc -O1 "$here/destructive/one_side_locked.c" -o racy_any || exit 1
expect "unlimited stack, controlled" 1 sh -c "ulimit -s unlimited; exec $stalemate detect -- ./racy_any"
echo 'int system(const char *); int main(void) { return system("ulimit -s") != 0; }' >limits.c
"$stalemate" cc --detect -O1 limits.c -o limits || exit 1
expect "its own limit" 0 sh -c 'ulimit -s unlimited; exec ./limits'
says "its own limit" "unlimited"

# ThreadSanitizer's flag for suppressions, of a program that is started by itself.
for line in race:^b$ race_top:one_side_locked.c race:^x$; do
    echo "$line" >known
    expect "suppressions=, $line" 0 env TSAN_OPTIONS=suppressions=known ./racy
    ! grep -q "data race" output || fail "suppressions=, $line: it is told all the same"
done
echo race:no_such >known
expect "suppressions=, another" 66 env TSAN_OPTIONS="suppressions='known'" ./racy
says "suppressions=, another" "1 data race found"
expect "suppressions=, no file" 3 env TSAN_OPTIONS=suppressions=nowhere ./racy
says "suppressions=, no file" "cannot read the suppressions nowhere"
expect "nothing to report" 0 env TSAN_OPTIONS=report_bugs=0:history_size=7:second_deadlock_stack=1 ./racy

cat >spin.c <<'END'
#include <pthread.h>
static int ready;
static void *waits(void *arg)
{
    while (!ready)
        ;
    return arg;
}
int main(void)
{
    pthread_t thread;
    ready = 1;
    pthread_create(&thread, NULL, waits, NULL);
    ready = 2;
    return pthread_join(thread, NULL);
}
END
"$stalemate" cc --detect -g -O1 spin.c -o spin || exit 1
expect "a load moved out of its loop" 1 "$stalemate" detect -- ./spin
says "a load moved out of its loop" "waits  spin.c:5:"

# An inlined constructor of the first member has bound the same pointer to a smaller type.
cat >first_member.cpp <<'END'
#include <thread>
struct Part { long weight; Part() : weight(1) {} };
struct Whole { Part part; int level; Whole() : level(2) {} };
Whole *whole;
int main()
{
    std::thread thread([] { __atomic_store_n(&whole, new Whole, __ATOMIC_RELAXED); });
    while (!__atomic_load_n(&whole, __ATOMIC_RELAXED))
        ;
    int level = whole->level;
    thread.join();
    return level != 2;
}
END
"$stalemate" c++ --detect -g -O2 first_member.cpp -o first_member || exit 1
expect "the first member's type" 1 "$stalemate" detect -- ./first_member
says "the first member's type" "data race on Whole.level"

# The optimiser makes a variable of its own of a field, or an element.
cat >parts.c <<'END'
#include <pthread.h>
static struct { int mode, level; long size; } config;
static int counts[8];
static long table[8], chosen = 5;
static void *work(void *arg)
{
    config.level++;
    counts[3]++;
    table[chosen]++;
    return arg;
}
int main(int argc, char **argv)
{
    (void)argv;
    pthread_t threads[2];
    chosen += argc - 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return config.level + config.mode + counts[3] + (int)table[chosen] == 0;
}
END
for level in 0 2; do
    "$stalemate" cc --detect -g -O$level parts.c -o parts || exit 1
    expect "parts of variables" 1 "$stalemate" detect -- ./parts
    says "parts of variables" "data race on config.level"
    says "an element" "data race on table[5]"
    ! grep -q "counts\[0\]" output || fail "an element: the start of a part is taken for the whole's"
done

expect "JSON" 1 "$stalemate" detect --quiet --json - -- ./racy
for key in '"tool": "stalemate"' '"command": "detect"' '"executions": 1' '"variable": "x"' \
    '"kind": "write"' '"function": "a"' '"count": 1'; do
    says "JSON" "$key"
done

# Both threads find it: the second when it writes, the first when it looks again at its end.
cat >both.c <<'END'
#include "race.h"
int x;
static void *a(void *arg)
{
    x = 1;
    done(0);
    after(1);
    return arg;
}
static void *b(void *arg)
{
    after(0);
    x = 2;
    done(1);
    return arg;
}
int main(void)
{
    run(a, b);
    return 0;
}
END
"$stalemate" cc --detect -O1 -I"$here" both.c -o both || exit 1
expect "found twice" 1 "$stalemate" detect -- ./both
says "found twice" "data race on x, seen 1 time"

for level in -O0 -O2; do
    "$stalemate" c++ --detect "$level" "$here/stacks.cpp" -o stacks || exit 1
    expect "stacks $level" 1 "$stalemate" detect -- ./stacks
    for frame in 'app::Counter::bump()' 'app::Counter::twice()' 'app::work(int)' \
        'main::$_0::operator()() const' 'main::$_1::operator()() const' 'main '; do
        says "stacks $level" "      $frame"
    done
done

printf '[thread]\nfun:b\n' >functions
printf 'src:*/one_side_locked.c\n' >files
for list in functions files; do
    "$stalemate" cc --detect -O1 -fsanitize-ignorelist=$list "$here/destructive/one_side_locked.c" \
        -o ignoring || exit 1
    expect "ignore list, $list" 0 "$stalemate" detect -- ./ignoring
done

printf '# known since 2019\nrace:^b$\nrace:no_such_function # gone\ndeadlock:x\n' >suppressions
expect "suppressed" 0 "$stalemate" detect --suppressions suppressions -- ./racy
says "suppressed" "1 suppressed"
says "unused" "(no_such_function) matched nothing: gone"
expect "suppressed, JSON" 0 "$stalemate" detect --quiet --json - --suppressions suppressions -- ./racy
says "suppressed, JSON" '"reason": "known since 2019"'
says "suppressed, JSON" '"used": 1'

# A library that races; the program has no frame but that of main.
cat >library.c <<'END'
#include <pthread.h>
int shared;
static void *work(void *arg)
{
    shared++;
    return arg;
}
void race(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
}
END
echo 'void race(void); int main(void) { race(); return 0; }' >caller.c
"$stalemate" cc --detect -O1 -shared -fPIC library.c -o librace.so || exit 1
"$stalemate" cc --detect -O1 caller.c -o caller -L. -lrace -Wl,-rpath,"$work" || exit 1
for line in race:librace.so race_top:librace called_from_lib:librace.so; do
    echo "$line" >suppressions
    expect "suppressed by library, $line" 0 "$stalemate" detect --suppressions suppressions -- \
        ./caller
done
for line in race:libother called_from_lib:work; do
    echo "$line" >suppressions
    expect "another library, $line" 1 "$stalemate" detect --suppressions suppressions -- ./caller
    says "another library, $line" "matched nothing"
done

echo 'rase:x' >suppressions
expect "bad suppression" 2 "$stalemate" detect --suppressions suppressions -- ./racy
says "bad suppression" "suppressions:1: not a suppression"
expect "no suppressions" 2 "$stalemate" detect --suppressions nowhere -- ./racy
expect "no program" 2 "$stalemate" detect
expect "not instrumented" 2 "$stalemate" detect -- ./plain
says "not instrumented" "not built with Stalemate"

# Atomics keep their order where the detector looks at nothing.
"$stalemate" cc --detect -O2 "$here/ignored_dekker.c" -o dekker || exit 1
expect "seq_cst, ignored" 0 ./dekker

# What comes after a free is told as that, with the access, the free and the allocation. What libc
# makes of a second free is not ours.
"$stalemate" cc --detect -g -O1 "$here/free_twice.c" -o twice || exit 1
expect "double free" 66 env TSAN_OPTIONS=halt_on_error=1 ./twice
for line in "stalemate: double-free: free of a block of 40 bytes that was freed" "freed by thread 1 " \
    "allocated by thread 0 "; do
    says "double free" "$line"
done
"$stalemate" cc --detect -g -O1 "$here/destructive/use_after_free.c" -o freed || exit 1
expect "use after free" 1 "$stalemate" detect --trials 3 --json - -- ./freed
for line in '"kind": "use-after-free"' '"role": "freed"' '"role": "allocated"' '"races": []' \
    "write of shared[], 4 bytes at offset 20 of a freed block of 40 bytes"; do
    says "use after free" "$line"
done
for line in race:^b$ memory:^b$; do
    echo "$line" >suppressions
    expect "use after free, $line" 0 "$stalemate" detect --suppressions suppressions -- ./freed
    expect "use after free by itself, $line" 0 env TSAN_OPTIONS=suppressions=suppressions ./freed
done
for line in race:^c$ lock:^b$ atomicity:^b$; do
    echo "$line" >suppressions
    expect "use after free, $line" 1 "$stalemate" detect --suppressions suppressions -- ./freed
done

# An object that changes its class, which is worse than one that stays what it is, is told as that.
for option in --detect ''; do
    # shellcheck disable=SC2086 # it may be none
    "$stalemate" c++ $option -g -O1 "$here/destructive/other_class.cpp" -o "class$option" || exit 1
    expect "class changes, ${option:-controlled}" 1 "$stalemate" detect -- "./class$option"
    says "class changes, ${option:-controlled}" "the object changes its class, in a constructor"
done

# Without debug information the functions have their names all the same.
"$stalemate" cc --detect -O1 -g0 "$here/destructive/one_side_locked.c" -o no_lines || exit 1
expect "no debug information" 1 "$stalemate" detect -- ./no_lines
says "no debug information" "      b"
says "no debug information" "      main"
# The counters of -fprofile-instr-generate are no variables of the program.
cat >counted.c <<'END'
#include <pthread.h>
#ifdef RACY
static int calls;
#else
static _Atomic int calls;
#endif
static void *both(void *unused)
{
    calls++;
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, both, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
counting='-O1 -fprofile-instr-generate -pthread'
"$stalemate" cc --detect $counting counted.c -o counted || exit 1
"$stalemate" cc --detect $counting -DRACY counted.c -o counted_racy || exit 1
expect "profile, clean" 0 env LLVM_PROFILE_FILE=/dev/null "$stalemate" detect -- ./counted
expect "profile, racy" 1 env LLVM_PROFILE_FILE=/dev/null "$stalemate" detect -- ./counted_racy
says "profile, racy" "race 1: data race on calls"
says "profile, racy" "1 data race in 1 execution"

"$stalemate" cc -O1 "$here/destructive/one_side_locked.c" -o racy_controlled || exit 1
"$stalemate" cc -O1 "$here/none/one_side_locked.c" -o clean_controlled || exit 1
# One schedule does not find all: by default they take turns.
"$stalemate" cc -g -O1 -pthread "$here/kept_back.c" -o kept_back || exit 1
"$stalemate" cc -g -O1 -pthread -DTWIN "$here/kept_back.c" -o kept_back_twin || exit 1
expect "kept back" 1 "$stalemate" detect --trials 200 -- ./kept_back
expect "kept back, random" 0 "$stalemate" detect --trials 200 --schedule random -- ./kept_back
expect "not kept back" 0 "$stalemate" detect --trials 200 -- ./kept_back_twin
expect "clean, controlled" 0 "$stalemate" detect --trials 20 -- ./clean_controlled
says "clean, controlled" "0 data races in 20 executions"
expect "racy, controlled" 1 "$stalemate" detect --trials 20 --jobs 2 -- ./racy_controlled
says "racy, controlled" "race 1: data race on x, seen 20 times"
says "values, controlled" ", value 0x2"
says "lock, controlled" "holding the lock m at"
says "advice, controlled" "take the same lock there, too"
says "creation, controlled" "was created by thread 0"
"$stalemate" c++ -O0 "$here/stacks.cpp" -o stacks_controlled || exit 1
expect "stacks, controlled" 1 "$stalemate" detect -- ./stacks_controlled
for frame in 'app::Counter::bump()' 'app::Counter::twice()' 'app::work(int)'; do
    says "stacks, controlled" "      $frame  $here/stacks.cpp:"
done
"$stalemate" cc -O1 "$here/destructive/use_after_free.c" -o freed_controlled || exit 1
expect "block, controlled" 1 "$stalemate" detect -- ./freed_controlled
says "block, controlled" "in a heap block of 40 bytes, 20 from its start"
says "allocation, controlled" "from its start, allocated by thread 0"
echo 'race:^b$' >suppressions
expect "suppressed, controlled" 0 "$stalemate" detect --suppressions suppressions -- \
    ./racy_controlled
expect "JSON, controlled" 1 "$stalemate" detect --quiet --json - -- ./racy_controlled
for key in '"executions": 1' '"variable": "x"' '"kind": "write"' '"count": 1'; do
    says "JSON, controlled" "$key"
done

[ "$failed" -eq 0 ] && echo "detect: all as expected"
exit "$failed"
