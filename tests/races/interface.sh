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
    grep -v -e '_on_initialize$' -e '_on_finalize$' -e '_default_' -e return_address >names
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

# What their pass makes of copies of structs, memset and memmove.
cat >blocks.c <<'END'
#include <string.h>
struct block { char bytes[200]; } from, to;
char set[64], moved[64];
void copies(size_t n)
{
    to = from;
    memset(set, 1, n);
    memmove(moved, moved + 1, n);
}
END
cat >uses.c <<'END'
#include "race.h"
#include <string.h>
void copies(size_t n);
extern char from[200], to[200], set[64], moved[64];
static const char *place;
static void *a(void *arg)
{
    copies(16);
    done(0);
    return arg;
}
static void *b(void *arg)
{
    after(0);
    if (strcmp(place, "read") == 0)
        from[150] = 1;
    if (strcmp(place, "copied") == 0)
        USE(to[150]);
    if (strcmp(place, "set") == 0)
        USE(set[15]);
    if (strcmp(place, "moved") == 0)
        USE(moved[3]);
    if (strcmp(place, "none") == 0)
        USE(from[150] + set[16] + moved[20]);
    return arg;
}
int main(int argc, char **argv)
{
    place = argv[argc - 1];
    run(a, b);
    return 0;
}
END
clang-19 -fsanitize=thread -O1 -c blocks.c -o blocks.o || exit 1
"$stalemate" cc --detect -O1 -I"$here" uses.c blocks.o -o blocks || exit 1
"$stalemate" cc -O1 -I"$here" uses.c blocks.o -o blocks_controlled || exit 1
for place in read copied set moved; do
    expect "their blocks, $place" 66 ./blocks $place
    expect "their blocks, controlled, $place" 1 "$stalemate" detect -- ./blocks_controlled $place
done
expect "their blocks, none" 0 ./blocks none
expect "their blocks, controlled, none" 0 "$stalemate" detect -- ./blocks_controlled none

# ---- what answers ----
cat >answers.c <<'END'
#include <sanitizer/common_interface_defs.h>
#include <string.h>
int shared_word;
double ValgrindSlowdown(void);
int main(void)
{
    char text[300] = "", module[300] = "";
    void *offset = NULL;
    if (!__sanitizer_get_module_and_offset_for_pc((void *)main, module, sizeof module, &offset) ||
        !strstr(module, "answers") || !offset)
        return 1;
    __sanitizer_symbolize_pc((void *)main, "%p", text, sizeof text);
    if (!strstr(text, "answers"))
        return 2;
    __sanitizer_symbolize_global(&shared_word, "%g", text, sizeof text);
    if (strcmp(text, "shared_word") != 0)
        return 3;
    if (!__sanitizer_acquire_crash_state() || __sanitizer_acquire_crash_state())
        return 4;
    if (!__sanitizer_verify_contiguous_container(text, text + 1, text + 2))
        return 5;
    return ValgrindSlowdown() < 1;
}
END
for option in --detect ''; do
    # shellcheck disable=SC2086 # it may be none
    "$stalemate" cc $option -rdynamic answers.c -o answers || exit 1
    expect "answers, ${option:-controlled}" 0 ./answers
done

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

# ---- what the program may define ----
cat >own.c <<'END'
#include <stdio.h>
#include "race.h"
int x, ready;
static void *a(void *arg)
{
    x++;
    return arg;
}
const char *__tsan_default_suppressions(void)
{
    return SUPPRESSIONS;
}
void __tsan_on_initialize(void)
{
    ready = 1;
}
int __tsan_on_finalize(int failed)
{
    fprintf(stderr, "failed: %d\n", failed);
    return FAILED;
}
int main(void)
{
    run(a, a);
    return !ready;
}
END
own() { # WHAT STATUS FAILED SUPPRESSIONS: of a program with these
    "$stalemate" cc --detect -O0 -I"$here" -DFAILED="$3" -DSUPPRESSIONS="\"$4\"" own.c -o own || exit 1
    expect "$1" "$2" ./own
}
own "callbacks" 66 failed ""
grep -q "failed: 1" output || fail "on_finalize is not told of the race"
own "forgiven by on_finalize" 0 0 ""
own "failed by on_finalize" 66 1 'race:^a$'
grep -q "failed: 0" output || fail "on_finalize is told of a suppressed race"
own "default suppressions" 0 failed '# known\nrace:^a$\n'
! grep -q "data race" output || fail "default suppressions: it is told all the same"
own "other default suppressions" 66 failed 'race:^b$'
own "wrong default suppressions" 3 failed 'rase:^b$'
grep -q "__tsan_default_suppressions():1: not a suppression" output ||
    fail "wrong default suppressions: not said"

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
