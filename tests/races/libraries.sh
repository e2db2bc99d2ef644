#!/bin/sh
# libraries.sh BUILD - libraries: those that are not instrumented, in which calls of libc do not
# count unless ignore_noninstrumented_modules=0; and what the dynamic loader and libc allocate for
# libraries, and free in whichever thread.
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
stalemate=$build/bin/stalemate

# finds NAMES COMMAND...: the names of what races, sorted, with semicolons; or nothing
finds() {
    wanted=$1
    shift
    "$@" >output 2>&1
    named=$(sed -n 's/^stalemate: data race on //p; s/^race [0-9]*: data race on \(.*\), seen .*/\1/p' \
        output | sort -u | paste -sd';')
    [ "$named" = "$wanted" ] && return
    echo "FAIL $*: expected ${wanted:-no race}, found ${named:-none}" >&2
    sed 's/^/  | /' output >&2
    failed=$((failed + 1))
}

# ---- not instrumented ----
cat >foreign.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static char buffer[64];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void foreign_read(int fd)
{
    if (read(fd, buffer, sizeof buffer) < 0)
        abort();
}
void foreign_lock(void) { pthread_mutex_lock(&mutex); }
void foreign_unlock(void) { pthread_mutex_unlock(&mutex); }
void foreign_call(void (*function)(void)) { function(); }
END
cat >host.c <<'END'
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "race.h"
void foreign_read(int fd);
void foreign_lock(void);
void foreign_unlock(void);
void foreign_call(void (*function)(void));
static const char *how;
int x;
char own[64];
static int zeros;
static void increment(void) { x++; }
static void *work(void *arg)
{
    if (strcmp(how, "read") == 0)
        foreign_read(zeros);
    if (strcmp(how, "called") == 0)
        foreign_call(increment);
    if (strcmp(how, "own") == 0 && read(zeros, own, sizeof own) < 0)
        abort();
    if (strcmp(how, "locked") == 0) {
        foreign_lock();
        x++;
        foreign_unlock();
    }
    return arg;
}
int main(int argc, char **argv)
{
    how = argv[argc - 1];
    zeros = open("/dev/zero", O_RDONLY);
    run(work, work);
    return 0;
}
END
${CC:-clang-19} -O1 -shared -fPIC foreign.c -o libforeign.so || exit 1
for option in --detect ''; do
    # shellcheck disable=SC2086 # it may be none
    "$stalemate" cc $option -O1 -I"$here" host.c -o "host$option" -L. -lforeign \
        -Wl,-rpath,"$work" || exit 1
    detect="$stalemate detect -- ./host$option"
    finds '' $detect read
    finds '' $detect locked
    finds x $detect called
    finds own $detect own
done
for flag in 0 1; do
    export TSAN_OPTIONS=ignore_noninstrumented_modules=$flag
    finds "$([ $flag = 1 ] || echo '?')" ./host--detect read
    finds '' ./host--detect locked
    finds x ./host--detect called
    finds own ./host--detect own
done
unset TSAN_OPTIONS

# ---- memory of the loader ----
# big is allocated by the thread that uses it first, for it, and freed by who gets its stack, or closes
# the library.
cat >loaded.c <<'END'
#include <stdlib.h>
__thread long big[2000];
static long *block;
long touch(long i) { return ++big[i]; }
void make(void)
{
    block = malloc(sizeof *block);
    *block = 1;
}
void drop(void) { free(block); }
END
cat >loads.c <<'END'
#include <dlfcn.h>
#include <string.h>
#include "race.h"
static const char *library;
static void *handle;
static long (*touch)(long);
static void (*make)(void), (*drop)(void);
static void load(void)
{
    handle = dlopen(library, RTLD_NOW);
    if (!handle)
        abort();
    touch = (long (*)(long))dlsym(handle, "touch");
    make = (void (*)(void))dlsym(handle, "make");
    drop = (void (*)(void))dlsym(handle, "drop");
}
static void *touches(void *step)
{
    touch((long)step);
    done((int)(long)step);
    return step;
}
/* One after the other, so that each finds the stack of the one before; nobody waits for its end. */
static void let_go(void)
{
    for (long step = 0; step < 20; step++) {
        pthread_t thread;
        pthread_create(&thread, NULL, touches, (void *)step);
        pthread_detach(thread);
        after((int)step);
        usleep(2000);
    }
}
/* Together they have more stack than libc keeps: who joins the last one frees what belonged to others. */
static void *ends_last(void *arg)
{
    after(31);
    return arg;
}
static void *ends_late(void *step)
{
    touch((long)step);
    done((int)(long)step);
    after(30);
    return step;
}
static void let_many_go(void)
{
    pthread_attr_t large;
    pthread_t last, thread;
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, 8 << 20);
    pthread_create(&last, &large, ends_last, NULL);
    pthread_attr_setdetachstate(&large, PTHREAD_CREATE_DETACHED);
    for (long step = 0; step < 12; step++)
        pthread_create(&thread, &large, ends_late, (void *)step);
    for (int step = 0; step < 12; step++)
        after(step);
    done(30);
    usleep(50000);
    done(31);
    pthread_join(last, NULL);
}
static void *opens(void *arg)
{
    void *again = dlopen(library, RTLD_NOW);
    dlsym(again, "no_such_name");
    dlerror();
    dlclose(again);
    return arg;
}
static void *makes(void *arg)
{
    make();
    done(0);
    return arg;
}
static void *drops(void *arg)
{
    after(0);
    drop();
    return arg;
}
static void close_early(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, touches, NULL);
    after(0);
    usleep(2000);
    dlclose(handle);
    pthread_join(thread, NULL);
}
int main(int argc, char **argv)
{
    const char *how = argv[argc - 1];
    library = argv[1];
    if (strcmp(how, "open") != 0)
        load();
    if (strcmp(how, "open") == 0)
        run(opens, opens);
    if (strcmp(how, "detached") == 0)
        let_go();
    if (strcmp(how, "many") == 0)
        let_many_go();
    if (strcmp(how, "closed") == 0)
        close_early();
    if (strcmp(how, "drop") == 0)
        run(makes, drops);
    return 0;
}
END
for option in --detect ''; do
    # shellcheck disable=SC2086 # it may be none
    {
        "$stalemate" cc $option -O1 -shared -fPIC loaded.c -o "./loaded$option.so" &&
            "$stalemate" cc $option -O1 -I"$here" loads.c -o "loads$option" || exit 1
    }
    for how in open detached many closed; do
        finds '' "$stalemate" detect -- "./loads$option" "./loaded$option.so" $how
    done
    # What the program itself frees is a race.
    finds "$([ "$option" ] && echo '*malloc();block' || echo '*block;block')" \
        "$stalemate" detect -- "./loads$option" "./loaded$option.so" drop
done

[ "$failed" -eq 0 ] && echo "libraries: all as expected"
exit "$failed"
