#!/bin/sh
# interface.sh BUILD - ThreadSanitizer's public interface: what its headers declare links in both
# flavours; fibers, the flags of TSAN_OPTIONS, where reports go.
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
stalemate=$build/bin/stalemate

fail() {
    echo "FAIL $1" >&2
    sed 's/^/  | /' output >&2
    failed=$((failed + 1))
}

expect() { # WHAT STATUS COMMAND...: and leaves the output in ./output
    what=$1 status=$2
    shift 2
    "$@" >output 2>&1
    got=$?
    [ "$got" -eq "$status" ] || fail "$what: status $got, not $status"
}

# ---- every function of the headers, but those that the program itself is to define ----
headers="tsan_interface.h tsan_interface_atomic.h linux_syscall_hooks.h common_interface_defs.h"
for header in $headers; do echo "#include <sanitizer/$header>"; done >all.c
"$stalemate" cc -E -P all.c 2>/dev/null | tr '\n' ' ' | tr ';' '\n' |
    grep -o '__\(tsan\|sanitizer\)_[a-z0-9_]* *(' | tr -d ' (' | sort -u |
    grep -v -e '_on_initialize$' -e '_on_finalize$' -e '_default_' -e weak_hook -e container \
        -e switch_fiber -e symbolize -e crash_state -e memory_profile -e return_address \
        -e get_module_and_offset >names
[ "$(wc -l <names)" -gt 700 ] || { cp names output && fail "the headers declare more"; }
{
    cat all.c
    echo 'void *all[] = {'
    sed 's/.*/    (void *)&,/' names
    echo '};'
    echo 'int main(void) { return !all[0]; }'
} >link.c
for option in --detect ''; do
    # shellcheck disable=SC2086 # it may be none
    expect "links, ${option:-controlled}" 0 "$stalemate" cc $option link.c -o link
    expect "starts, ${option:-controlled}" 0 ./link
done

# ---- objects that ThreadSanitizer's own pass has instrumented ----
cat >theirs.c <<'END'
#include <stdatomic.h>
int data;
static atomic_int ready;
void publish(int value, memory_order order)
{
    data = value;
    if (order == memory_order_release)
        atomic_store_explicit(&ready, 1, memory_order_release);
    else
        atomic_store_explicit(&ready, 1, memory_order_relaxed);
}
int consume(void)
{
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    return data;
}
END
cat >ours.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
void publish(int value, memory_order order);
int consume(void);
static void *reader(void *arg)
{
    return (void *)(long)(consume() != 3) + (arg != NULL);
}
int main(int argc, char **argv)
{
    (void)argv;
    pthread_t thread;
    void *wrong;
    pthread_create(&thread, NULL, reader, NULL);
    publish(3, argc > 1 ? memory_order_relaxed : memory_order_release);
    pthread_join(thread, &wrong);
    return wrong != NULL;
}
END
clang-19 -fsanitize=thread -O1 -c theirs.c -o theirs.o || exit 1
"$stalemate" cc --detect -O1 ours.c theirs.o -o mixed || exit 1
expect "their objects" 0 ./mixed
expect "their objects, relaxed" 66 ./mixed relaxed

# ---- fibers: two on one thread, with and without an edge ----
cat >fibers.c <<'END'
#include <sanitizer/tsan_interface.h>
int x;
int main(int argc, char **argv)
{
    (void)argv;
    unsigned flags = argc > 1 ? __tsan_switch_to_fiber_no_sync : 0;
    void *one = __tsan_get_current_fiber(), *other = __tsan_create_fiber(0);
    x = 1;
    __tsan_switch_to_fiber(other, flags);
    x = 2;
    __tsan_switch_to_fiber(one, 0);
    __tsan_destroy_fiber(other);
    x = 3;
    return 0;
}
END
"$stalemate" cc --detect -O0 fibers.c -o fibers || exit 1
expect "fibers" 0 ./fibers
expect "fibers without sync" 66 ./fibers no

# ---- flags ----
"$stalemate" cc --detect -O1 "$here/destructive/one_side_locked.c" -o racy || exit 1
expect "exitcode" 9 env TSAN_OPTIONS='verbosity=1,exitcode=9 x=y' ./racy
expect "report_bugs" 0 env TSAN_OPTIONS=report_bugs=0 ./racy
[ ! -s output ] || fail "report_bugs=0: it says something"
expect "log_path" 66 env TSAN_OPTIONS="log_path='$work/log'" ./racy
[ ! -s output ] || fail "log_path: standard error has something"
grep -q "data race on x" log.* || fail "log_path: nothing there"
cat >two.c <<'END'
#include "race.h"
int x, y;
static void *a(void *arg)
{
    x = y = 1;
    done(0);
    return arg;
}
static void *b(void *arg)
{
    after(0);
    x = 2;
    y = 2;
    return arg;
}
const char *__tsan_default_options(void)
{
    return "exitcode=12";
}
int main(void)
{
    run(a, b);
    return 0;
}
END
"$stalemate" cc --detect -O0 -I"$here" two.c -o two || exit 1
expect "default options" 12 ./two
grep -q "2 data races" output || fail "two races: there are others"
expect "halt_on_error" 66 env TSAN_OPTIONS=halt_on_error=1:exitcode=66 ./two
[ "$(grep -c 'data race on' output)" = 1 ] || fail "halt_on_error: it went on"

cat >path.c <<'END'
#include <sanitizer/common_interface_defs.h>
#include "race.h"
int x;
static void *a(void *arg)
{
    x = 1;
    return arg;
}
int main(int argc, char **argv)
{
    if (argc > 1)
        __sanitizer_set_report_path(argv[1]);
    else
        __sanitizer_set_report_fd((void *)1);
    run(a, a);
    return 0;
}
END
"$stalemate" cc --detect -O0 -I"$here" path.c -o path || exit 1
expect "set_report_path" 66 ./path "$work/other"
grep -q "data race on x" other.* || fail "set_report_path: nothing there"
./path >output 2>errors
grep -q "data race on x" output || fail "set_report_fd: not there"
[ ! -s errors ] || fail "set_report_fd: standard error has something"

[ "$failed" -eq 0 ] && echo "interface: all as expected"
exit "$failed"
