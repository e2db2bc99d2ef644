/*
 * futex.c - syscall(2): futexes, and calls that have an interceptor under another name.
 *
 * libstdc++ (guards of static variables, std::atomic::wait) and many programs make futex
 * calls through syscall(). The sampling engine models them in full, without the kernel: comparing
 * the word and starting to wait are one step, because there is no scheduling point between.
 * The priority-inheriting kinds are not: they fail with ENOSYS, as on a kernel built
 * without them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/choice.h"
#include "runtime/control.h"
#include "runtime/engine.h"
#include "runtime/init.h"
#include "runtime/intercept/io.h"
#include "runtime/intercept/real.h"
#include "runtime/intercept/signals.h"
#include "runtime/step.h"
#include "runtime/sync/operations.h"

/* A thread in FUTEX_WAIT. */
struct waiter {
    struct waiter *next;
    const uint32_t *word;
    uint32_t bits;
};

static struct waiter *waiters; /* in order of arrival */

static void add(struct waiter *waiter)
{
    struct waiter **end = &waiters;
    while (*end)
        end = &(*end)->next;
    *end = waiter;
}

static void remove_waiter(struct waiter *waiter)
{
    for (struct waiter **at = &waiters; *at; at = &(*at)->next) {
        if (*at != waiter)
            continue;
        *at = waiter->next;
        waiter->word = NULL;
        return;
    }
}

static bool matches(const struct waiter *waiter, const uint32_t *word, uint32_t bits)
{
    return waiter->word == word && waiter->bits & bits;
}

static uint32_t count(const uint32_t *word, uint32_t bits)
{
    uint32_t n = 0;
    for (struct waiter *w = waiters; w; w = w->next)
        n += matches(w, word, bits);
    return n;
}

/* Any of the waiters may be the next to be woken. */
static struct waiter *choose(const uint32_t *word, uint32_t bits)
{
    uint32_t n = count(word, bits);
    uint32_t skip = n ? sm_choose(SM_PURPOSE_WAKE, n, NULL) : 0;
    for (struct waiter *w = waiters; w; w = w->next)
        if (matches(w, word, bits) && skip-- == 0)
            return w;
    return NULL;
}

static long wake(const uint32_t *word, uint32_t bits, uint32_t limit)
{
    long woken = 0;
    struct waiter *waiter;
    while (woken < (long)limit && (waiter = choose(word, bits))) {
        remove_waiter(waiter);
        sm_wake_all(waiter);
        woken++;
    }
    return woken;
}

static long requeue(const uint32_t *word, uint32_t limit, const uint32_t *to)
{
    long moved = 0;
    for (struct waiter *w = waiters; w && moved < (long)limit; w = w->next) {
        if (w->word != word)
            continue;
        w->word = to;
        moved++;
    }
    return moved;
}

/* acquire: orders this read of the word before the caller's next reads */
static uint32_t value_of(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/* Returns 0 or -errno. */
static long wait(const uint32_t *word, uint32_t value, uint32_t bits, uint64_t deadline,
                 struct sm_event *event)
{
    if (value_of(word) != value)
        return -EAGAIN;
    struct waiter *waiter = sm_alloc(sizeof *waiter);
    *waiter = (struct waiter){.word = word, .bits = bits};
    add(waiter);
    struct sm_thread *self = sm_self();
    struct sm_wait wait_for = {.queue = waiter, .what = "futex", .deadline = deadline};
    long result = 0;
    while (waiter->word && result == 0) {
        /* Not a cancellation point: a pending cancellation stays pending, and must not wake us. */
        wait_for.interruptible = !self->cancel_pending || self->cancel_disabled;
        enum sm_wake_reason reason = sm_block(&wait_for, event);
        if (waiter->word && reason == SM_TIMED_OUT)
            result = -ETIMEDOUT;
        else if (waiter->word && self->interrupted)
            result = -EINTR;
    }
    remove_waiter(waiter);
    sm_free(waiter, sizeof *waiter);
    return result;
}

/* FUTEX_WAIT's time is relative, FUTEX_WAIT_BITSET's absolute. */
static uint64_t deadline_of(int operation, const struct timespec *time)
{
    if (!time)
        return SM_NO_DEADLINE;
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
        return sm_io_deadline(time);
    return sm_deadline(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
}

static long wake_op(uint32_t *word, uint32_t limit, uint32_t *other, uint32_t other_limit,
                    uint32_t code)
{
    uint32_t operation = code >> 28 & 7, compare = code >> 24 & 15;
    int argument = (int)(code << 8) >> 20, against = (int)(code << 20) >> 20;
    uint32_t operand = code >> 31 ? 1u << (argument & 31) : (uint32_t)argument;
    uint32_t old = value_of(other);
    const uint32_t values[] = {operand, old + operand, old | operand, old & ~operand,
                               old ^ operand};
    if (operation >= SM_ARRAY_SIZE(values))
        return -ENOSYS;
    /* release: the caller's earlier writes are visible to threads that the new value wakes */
    __atomic_store_n(other, values[operation], __ATOMIC_RELEASE);
    int seen = (int)old;
    const bool holds[] = {seen == against, seen != against,
                          seen<against, seen <= against, seen> against, seen >= against};
    if (compare >= SM_ARRAY_SIZE(holds))
        return -ENOSYS;
    long woken = wake(word, UINT32_MAX, limit);
    return holds[compare] ? woken + wake(other, UINT32_MAX, other_limit) : woken;
}

static long perform(const struct sm_futex_call *call, struct sm_event *event)
{
    uint32_t limit = (uint32_t)(uintptr_t)call->time;
    switch (call->operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
        return wait(call->word, call->value, UINT32_MAX, deadline_of(call->operation, call->time),
                    event);
    case FUTEX_WAIT_BITSET:
        if (!call->last)
            return -EINVAL;
        return wait(call->word, call->value, call->last, deadline_of(call->operation, call->time),
                    event);
    case FUTEX_WAKE:
        return wake(call->word, UINT32_MAX, call->value);
    case FUTEX_WAKE_BITSET:
        return call->last ? wake(call->word, call->last, call->value) : -EINVAL;
    case FUTEX_CMP_REQUEUE:
        if (value_of(call->word) != call->last)
            return -EAGAIN;
        /* fall through */
    case FUTEX_REQUEUE: {
        long woken = wake(call->word, UINT32_MAX, call->value);
        long moved = requeue(call->word, limit, call->other);
        return (call->operation & FUTEX_CMD_MASK) == FUTEX_REQUEUE ? woken : woken + moved;
    }
    case FUTEX_WAKE_OP:
        return wake_op(call->word, call->value, call->other, limit, call->last);
    default:
        return -ENOSYS;
    }
}

static long call_futex(const struct sm_futex_call *call, struct sm_event *event)
{
    sm_signals_begin_call(sm_self());
    sm_point(event);
    long result = perform(call, event);
    event->value = (uint64_t)result;
    sm_sync(event);
    return result;
}

const struct sm_futex_operations sm_futex_sampling = {call_futex};

static long controlled_futex(const struct sm_futex_call *call, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_SYSCALL, call->word, (uint64_t)call->operation, pc);
    long result = sm_engine->sync->futex->call(call, &event);
    if (result >= 0)
        return result;
    errno = (int)-result;
    return -1;
}

/* ---- membarrier ---- */

/* A thread that has not started yet executes the fence when it starts: it has done nothing that the
   fence could order. In a thread that has ended, the fence represents its stores, which have
   reached memory. */
static void fence_in_other(struct sm_thread *other, void *pc)
{
    if (other->begun || other->id == 0)
        sm_fence_in(other, pc);
    else
        other->fence_first = true;
}

/* The fences of the others come between two of the caller's. */
static void fence_everywhere(void *pc)
{
    struct sm_thread *self = sm_self();
    struct sm_event event = sm_sync_event(SM_EV_FENCE, NULL, 0, pc);
    event.order = SM_ORDER_SEQ_CST;
    sm_point(&event);
    sm_fence_in(self, pc);
    for (uint32_t i = 0; i < sm_thread_count(); i++) {
        struct sm_thread *other = sm_thread_by_id(i);
        if (other && other != self)
            fence_in_other(other, pc);
    }
    sm_fence_in(self, pc);
}

/* A seq_cst fence in every thread. verify explores only fences in a thread's own code: there the
   kernel appears to lack this call, in constructors, too. A program that calls it all the same
   relies on it, and is refused. */
static long membarrier(int command, void *pc)
{
    enum {
        FENCES = MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_GLOBAL_EXPEDITED |
                 MEMBARRIER_CMD_PRIVATE_EXPEDITED,
        REGISTRATIONS =
            MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED | MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED
    };
    bool known = command == MEMBARRIER_CMD_QUERY || (command & (FENCES | REGISTRATIONS)) == command;
    if (sm_option(explore) && sm_self() && (command & FENCES))
        sm_engine_require(SM_FEATURE_MEMBARRIER);
    if (sm_option(explore) || !known) {
        errno = known ? ENOSYS : EINVAL;
        return -1;
    }
    if (command == MEMBARRIER_CMD_QUERY)
        return FENCES | REGISTRATIONS;
    if ((command & FENCES) && sm_self())
        fence_everywhere(pc);
    return 0;
}

/* Calls whose libc function gives constructors the deterministic inputs of an execution. */
static bool is_input(long number)
{
    switch (number) {
    case SYS_getpid:
    case SYS_getppid:
    case SYS_getrandom:
    case SYS_clock_gettime:
        return true;
    default:
        return false;
    }
}

/* It may store to memory of the program, which is not reported otherwise. */
static void note_effect(long number)
{
    bool none = number == SYS_futex || number == SYS_sched_yield || number == SYS_gettid;
    if (!none && sm_self() && sm_engine->iteration_effect)
        sm_engine->iteration_effect();
}

SM_EXPORT long syscall(long number, ...)
{
    long arg[6];
    va_list args;
    va_start(args, number);
    for (size_t i = 0; i < SM_ARRAY_SIZE(arg); i++)
        arg[i] = va_arg(args, long);
    va_end(args);
    if (number == SYS_membarrier && sm_starting())
        return membarrier((int)arg[0], SM_CALLER());
    if (!sm_self() && !(sm_starting() && is_input(number)))
        return SM_REAL(syscall)(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
    note_effect(number);
    switch (number) {
    case SYS_futex:
        return controlled_futex(&(struct sm_futex_call){(uint32_t *)arg[0], (int)arg[1],
                                                        (uint32_t)arg[2], (struct timespec *)arg[3],
                                                        (uint32_t *)arg[4], (uint32_t)arg[5]},
                                SM_CALLER());
    case SYS_gettid:
        return gettid();
    case SYS_getpid:
        return getpid();
    case SYS_getppid:
        return getppid();
    case SYS_sched_setaffinity:
        return sched_setaffinity((pid_t)arg[0], (size_t)arg[1], (cpu_set_t *)arg[2]);
    case SYS_sched_getaffinity: /* the kernel's version returns how many bytes it wrote */
        return SM_REAL(syscall)(number, 0L, arg[1], arg[2]);
    case SYS_tgkill:
        return tgkill((pid_t)arg[0], (pid_t)arg[1], (int)arg[2]);
    case SYS_kill:
        return kill((pid_t)arg[0], (int)arg[1]);
    case SYS_sched_yield:
        return sched_yield();
    case SYS_getrandom:
        return getrandom((void *)arg[0], (size_t)arg[1], (unsigned)arg[2]);
    case SYS_clock_gettime:
        return clock_gettime((clockid_t)arg[0], (struct timespec *)arg[1]);
    case SYS_nanosleep:
        return nanosleep((struct timespec *)arg[0], (struct timespec *)arg[1]);
    case SYS_read:
        return read((int)arg[0], (void *)arg[1], (size_t)arg[2]);
    case SYS_write:
        return write((int)arg[0], (void *)arg[1], (size_t)arg[2]);
    case SYS_close:
        return close((int)arg[0]);
    case SYS_poll:
        return poll((struct pollfd *)arg[0], (nfds_t)arg[1], (int)arg[2]);
    case SYS_exit_group:
        _exit((int)arg[0]);
    case SYS_membarrier:
        return membarrier((int)arg[0], SM_CALLER());
    default:
        return SM_REAL(syscall)(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
    }
}
