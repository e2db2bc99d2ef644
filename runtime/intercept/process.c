/*
 * process.c - how the program ends, and the processes it starts.
 *
 * exit() lets the program's handlers run under control; a handler of ours, registered before all
 * of theirs and so run after them, records the status. Other ways to end are recorded where they
 * are called.
 *
 * The child of a fork is released before any handler of the program runs in it: it continues
 * natively and never touches its parent's record. The parent waits for children as for any
 * descriptor, except in pclose, where libc blocks the whole process.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/analysis.h"
#include "runtime/control.h"
#include "runtime/end.h"
#include "runtime/engine.h"
#include "runtime/init.h"
#include "runtime/intercept/identity.h"
#include "runtime/intercept/io.h"
#include "runtime/intercept/message.h"
#include "runtime/intercept/names.h"
#include "runtime/intercept/openmp.h"
#include "runtime/intercept/ports.h"
#include "runtime/intercept/real.h"
#include "runtime/intercept/signals.h"
#include "runtime/restart.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/object.h"

/* ---- the end ---- */

static int quick_status;

static void exited(int status, void *unused)
{
    (void)unused;
    if (!sm_running())
        return;
    sm_analyses_end();
    sm_end_exit(status & 0xff);
}

static void quickly_exited(void)
{
    if (sm_running())
        sm_end_exit(quick_status & 0xff);
}

static void record(uint64_t value, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_SYSCALL, NULL, 0, pc);
    event.value = value; /* others look at it (verify/explore.c) */
    sm_point(&event);
    sm_sync(&event);
    sm_end_wait();
}

SM_EXPORT _Noreturn void exit(int status)
{
    if (sm_self()) {
        record((uint64_t)status, SM_CALLER());
        sm_openmp_settle(SM_CALLER());
    }
    if (sm_restart_on()) {
        sm_restart_flush();
        sm_analyses_end();
        sm_end(SM_END_EXIT, status & 0xff, "%s", "");
    }
    SM_REAL(exit)(status);
    __builtin_unreachable();
}

SM_EXPORT _Noreturn void quick_exit(int status)
{
    if (sm_self())
        record((uint64_t)status, SM_CALLER());
    quick_status = status;
    SM_REAL(quick_exit)(status);
    __builtin_unreachable();
}

SM_EXPORT _Noreturn void _exit(int status)
{
    if (sm_self()) {
        record((uint64_t)status, SM_CALLER());
        sm_end_exit(status & 0xff);
    }
    for (;;)
        sm_syscall(SYS_exit_group, (long)status);
}

SM_EXPORT _Noreturn void _Exit(int status) __attribute__((alias("_exit")));

SM_EXPORT _Noreturn void abort(void)
{
    struct sm_thread *self = sm_self();
    if (self) {
        sm_signals_abort(self);
        sm_end(SM_END_SIGNAL, SIGABRT, "abort() was called");
    }
    SM_REAL(abort)();
    __builtin_unreachable();
}

/* ---- assertions ---- */

static _Noreturn void failed(const char *text)
{
    char line[SM_DETAIL_SIZE];
    size_t size = sm_format(line, sizeof line, "%s: %s\n", program_invocation_short_name, text);
    sm_syscall(SYS_write, 2L, line, size);
    sm_signals_abort(sm_self());
    sm_end(SM_END_ASSERT, SIGABRT, "%s", text);
}

SM_EXPORT _Noreturn void __assert_fail(const char *expression, const char *file, unsigned line,
                                       const char *function)
{
    if (!sm_self())
        SM_REAL(__assert_fail)(expression, file, line, function);
    char text[SM_DETAIL_SIZE];
    sm_format(text, sizeof text, "%s:%u: %s%sAssertion `%s' failed.", file, line,
              function ? function : "", function ? ": " : "", expression);
    failed(text);
}

SM_EXPORT _Noreturn void __assert_perror_fail(int error, const char *file, unsigned line,
                                              const char *function)
{
    if (!sm_self())
        SM_REAL(__assert_perror_fail)(error, file, line, function);
    char text[SM_DETAIL_SIZE];
    sm_format(text, sizeof text, "%s:%u: %s%sUnexpected error: %s.", file, line,
              function ? function : "", function ? ": " : "",
              strerrordesc_np(error) ? strerrordesc_np(error) : "unknown");
    failed(text);
}

SM_EXPORT _Noreturn void __assert(const char *expression, const char *file, int line)
{
    __assert_fail(expression, file, (unsigned)line, NULL);
}

/* ---- children ---- */

static void let_go(void)
{
    struct sm_thread *self = sm_running();
    if (!self)
        return;
    sm_signals_release(self);
    sm_keys_release(self);
    sm_sync_release();
    sm_identity_forked();
    sm_names_done();
    sm_release();
}

/* The library is initialised before every other object of the program, so these handlers run last
   at exit, and first in the child of a fork. */
__attribute__((constructor)) static void register_handlers(void)
{
    if (on_exit(exited, NULL) != 0 || at_quick_exit(quickly_exited) != 0 ||
        pthread_atfork(NULL, NULL, let_go) != 0)
        sm_die("libc has no room for the handlers of exit and fork");
}

/* The program's next steps may depend on the child, and the child on what it inherits. */
static struct sm_event begin_child(sigset_t *mask, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_SYSCALL, NULL, 0, pc);
    sm_point(&event);
    sm_child_gives(pc);
    sm_io_expect_arrivals();
    sm_signals_lend_mask(sm_self(), mask);
    return event;
}

/* Known children that have not been waited for; popen keeps its own. */
enum { CHILDREN = 256 };
static pid_t children[CHILDREN];
static uint32_t n_children;

static void add_child(pid_t child)
{
    if (n_children < CHILDREN)
        children[n_children] = child;
    n_children++;
}

static void remove_child(pid_t child)
{
    for (uint32_t i = 0; i < n_children && i < CHILDREN; i++) {
        if (children[i] != child)
            continue;
        children[i] = children[--n_children < CHILDREN ? n_children : i];
        return;
    }
}

/* Process numbers differ from run to run; the record only has whether a child was created. */
static void end_child(struct sm_event *event, const sigset_t *mask, pid_t child)
{
    int error = errno;
    sm_signals_take_mask(mask);
    if (child > 0) {
        add_child(child);
        sm_ports_inherited();
    }
    event->value = child > 0;
    sm_sync(event);
    sm_fds_changed();
    errno = error;
}

static bool has_forked;

bool sm_process_has_forked(void)
{
    return has_forked;
}

bool sm_process_has_children(void)
{
    return has_forked && n_children;
}

static pid_t controlled_fork(void *pc)
{
    sm_engine_require(SM_FEATURE_FORK);
    has_forked = true;
    sigset_t mask;
    struct sm_event event = begin_child(&mask, pc);
    pid_t child = SM_REAL(fork)();
    if (child != 0)
        end_child(&event, &mask, child);
    return child;
}

SM_EXPORT pid_t fork(void)
{
    SM_PASS(fork);
    return controlled_fork(SM_CALLER());
}

/* A child that shares our memory and stack could not be released; POSIX allows a copy. */
SM_EXPORT pid_t vfork(void)
{
    return sm_self() ? controlled_fork(SM_CALLER()) : SM_REAL(fork)();
}

SM_EXPORT int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                          const posix_spawnattr_t *attributes, char *const arguments[],
                          char *const environment[])
{
    SM_PASS(posix_spawn, child, path, actions, attributes, arguments, environment);
    sigset_t mask;
    struct sm_event event = begin_child(&mask, SM_CALLER());
    pid_t made = 0;
    int error = SM_REAL(posix_spawn)(&made, path, actions, attributes, arguments, environment);
    end_child(&event, &mask, made);
    if (!error && child)
        *child = made;
    return error;
}

SM_EXPORT int posix_spawnp(pid_t *child, const char *file,
                           const posix_spawn_file_actions_t *actions,
                           const posix_spawnattr_t *attributes, char *const arguments[],
                           char *const environment[])
{
    SM_PASS(posix_spawnp, child, file, actions, attributes, arguments, environment);
    sigset_t mask;
    struct sm_event event = begin_child(&mask, SM_CALLER());
    pid_t made = 0;
    int error = SM_REAL(posix_spawnp)(&made, file, actions, attributes, arguments, environment);
    end_child(&event, &mask, made);
    if (!error && child)
        *child = made;
    return error;
}

SM_EXPORT FILE *popen(const char *command, const char *mode)
{
    SM_PASS(popen, command, mode);
    sigset_t mask;
    struct sm_event event = begin_child(&mask, SM_CALLER());
    FILE *stream = SM_REAL(popen)(command, mode);
    end_child(&event, &mask, 0);
    return stream;
}

/* ---- waiting for them ---- */

/* The child that a wait is for, if it is a single one; else 0. */
static pid_t awaited(pid_t child, int options)
{
    if (options & (WUNTRACED | WCONTINUED))
        return 0;
    if (child > 0)
        return child;
    return child == -1 && n_children == 1 ? children[0] : 0;
}

/* Waits until it makes sense to check. False with errno EINTR. */
static bool wait_for_child(pid_t child, int options, unsigned *tries, struct sm_event *event)
{
    struct sm_thread *self = sm_self();
    enum sm_wake_reason reason;
    pid_t single = awaited(child, options);
    long fd = single ? sm_syscall(SYS_pidfd_open, (long)single, 0L) : -1;
    if (fd >= 0) {
        fd = sm_io_private_fd((int)fd);
        reason = sm_block_outside((int)fd, SM_NO_DEADLINE, event);
        sm_syscall(SYS_close, fd);
    } else if (sm_io_expects_arrival() && sm_signals_child_seen()) {
        reason = sm_io_wait_arrival(SM_NO_DEADLINE, event);
    } else {
        return sm_io_retry(tries, event);
    }
    if (reason != SM_SIGNALLED || !sm_signals_interrupted(self))
        return true;
    errno = EINTR;
    return false;
}

/* A wait for one child does not check first whether it has already ended, which is random: it
   always yields, and checks when no other thread can run. */
static bool look_first(pid_t child, int options)
{
    pid_t single = awaited(child, options);
    return options & WNOHANG || !single ||
           sm_syscall(SYS_waitid, (long)P_PID, (long)single, NULL,
                      (long)(WEXITED | WNOHANG | WNOWAIT), NULL) != 0;
}

static pid_t wait_patiently(pid_t child, int *status, int options, struct rusage *usage, void *pc)
{
    struct sm_event event = sm_io_begin(0, pc);
    int seen = 0;
    unsigned tries = 0;
    pid_t result = -1;
    if (look_first(child, options) || wait_for_child(child, options, &tries, &event)) {
        do {
            result = SM_REAL(wait4)(child, &seen, options | WNOHANG, usage);
            if (result != 0 || options & WNOHANG)
                break;
            result = -1;
        } while (wait_for_child(child, options, &tries, &event));
    }
    if (result > 0) {
        remove_child(result);
        sm_io_arrival(); /* one notification may be for several: others check again */
        if (status)
            *status = seen;
    }
    event.old = (uint64_t)(unsigned)seen;
    sm_io_end(&event, result > 0 ? 1 : result);
    if (result > 0)
        sm_child_takes(pc);
    return result;
}

SM_EXPORT pid_t wait4(pid_t child, int *status, int options, struct rusage *usage)
{
    SM_PASS(wait4, child, status, options, usage);
    return wait_patiently(child, status, options, usage, SM_CALLER());
}

SM_EXPORT pid_t wait3(int *status, int options, struct rusage *usage)
{
    SM_PASS(wait3, status, options, usage);
    return wait_patiently(-1, status, options, usage, SM_CALLER());
}

SM_EXPORT pid_t waitpid(pid_t child, int *status, int options)
{
    SM_PASS(waitpid, child, status, options);
    return wait_patiently(child, status, options, NULL, SM_CALLER());
}

SM_EXPORT pid_t wait(int *status)
{
    SM_PASS(wait, status);
    return wait_patiently(-1, status, 0, NULL, SM_CALLER());
}

SM_EXPORT int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    SM_PASS(waitid, type, id, info, options);
    struct sm_event event = sm_io_begin(0, SM_CALLER());
    siginfo_t seen = {0};
    unsigned tries = 0;
    pid_t child = type == P_PID ? (pid_t)id : -1;
    int result = -1;
    if (look_first(child, options) || wait_for_child(child, options, &tries, &event)) {
        do {
            result = SM_REAL(waitid)(type, id, &seen, options | WNOHANG);
            if (result != 0 || seen.si_pid != 0 || options & WNOHANG)
                break;
            result = -1;
        } while (wait_for_child(child, options, &tries, &event));
    }
    if (result == 0 && info)
        *info = seen;
    if (result == 0 && seen.si_pid && !(options & WNOWAIT))
        remove_child(seen.si_pid);
    if (result == 0)
        sm_io_arrival();
    event.old = (uint64_t)(unsigned)seen.si_status;
    result = (int)sm_io_end(&event, result);
    if (result == 0)
        sm_child_takes(SM_CALLER());
    return result;
}

/* libc's would block inside; this one waits under control. */
static int run_shell(const char *command, void *pc)
{
    posix_spawnattr_t attributes;
    sigset_t restore;
    sigemptyset(&restore);
    sigaddset(&restore, SIGINT);
    sigaddset(&restore, SIGQUIT);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &restore);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    char *arguments[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
    pid_t child;
    int status = W_EXITCODE(127, 0);
    int error = posix_spawn(&child, "/bin/sh", NULL, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    if (error)
        return status;
    while (wait_patiently(child, &status, 0, NULL, pc) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

SM_EXPORT int system(const char *command)
{
    SM_PASS(system, command);
    if (!command)
        return 1;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    int status = run_shell(command, SM_CALLER());
    int error = errno;
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    errno = error;
    return status;
}
