/*
 * sched.h - scheduling, blocking, virtual time.
 *
 * One thread runs at a time. Context switches happen only inside the calls declared here, so code
 * between two of them is atomic: the models of mutexes, conditions and so on (sync/) need no
 * locks.
 *
 * How to write a blocking operation (see sync/mutex.c for the model):
 *
 *     sm_point(&event);                       others may run first
 *     while (!available(object))
 *         if (sm_block(&wait, &event) != SM_WOKEN) ...  time-out or signal
 *     take(object);
 *     sm_sync(&event);                        happens-before, analyses, trace
 *
 * and the operation that makes it available: release it, sm_sync, sm_wake_*. A woken thread
 * competes with the others for the object, hence the loop.
 */
#ifndef SM_RUNTIME_SCHED_SCHED_H
#define SM_RUNTIME_SCHED_SCHED_H

#include "base/sys.h"
#include "runtime/engine.h"
#include "runtime/heap.h"
#include "runtime/thread.h"

enum { SM_SECOND = 1000000000 };        /* virtual time is in nanoseconds */
enum { SM_EPOCH_SECONDS = 1000000000 }; /* where CLOCK_REALTIME begins: 2001-09-09 */

/* A scheduling point before `pending`: asks the policy which thread runs next, and
   returns when the calling thread is chosen. Also delivers pending signals. */
void sm_point(struct sm_event *pending);

/* The running thread yields, because it waits for another thread: a scheduling point that the
   schedule is told of. Without that a schedule with priorities would let it wait for ever. */
void sm_yield(void *pc);

struct sm_wait {
    const void *queue;  /* NULL: only for time */
    const char *what;   /* "mutex", "condition variable", ...: for the deadlock report */
    uint64_t deadline;  /* virtual time, or SM_NO_DEADLINE */
    bool interruptible; /* return SM_SIGNALLED when a signal or cancellation arrives */
    const struct sm_thread *holder; /* the holder, for the deadlock report; may be NULL */
};
/* Blocks until woken, the deadline, or a signal. */
enum sm_wake_reason sm_block(const struct sm_wait *wait, struct sm_event *pending);

/* Blocks until poll(2) would report one of `events` on fd. Never blocks the process while another
   thread can run. */
enum sm_wake_reason sm_block_fd(int fd, short events, uint64_t deadline, struct sm_event *pending);
/* The same until fd is readable, if only another process can make it so: see fds.c. */
enum sm_wake_reason sm_block_outside(int fd, uint64_t deadline, struct sm_event *pending);
/* An interceptor may have made descriptors ready for other threads. */
void sm_fds_changed(void);
struct msghdr;
/* This message is about to be sent on the socket, or was received: it may pass descriptors on. */
void sm_fds_exchanged(int fd, const struct msghdr *message);

/* A lock was taken or released: for the deadlock report. */
void sm_taken_note(const struct sm_event *event);
/* A wait for a condition begins or ends, or a condition is signalled: the same. */
void sm_progress_note(const struct sm_event *event);
/* The running thread's signal wakes this one of the waiting threads. */
void sm_progress_woken(struct sm_thread *thread);
/* What a thread in a spin loop waits for, in struct sm_wait. */
#define SM_WAITS_IN_LOOP "change of what it reads, in a loop,"

/* Number of threads blocked on a queue, and how to wake them. sm_wake_one lets the
   policy choose which (SM_PURPOSE_WAKE); both return how many they woke. */
uint32_t sm_waiters(const void *queue);
uint32_t sm_wake_one(const void *queue);
uint32_t sm_wake_all(const void *queue);
void sm_wake_thread(struct sm_thread *thread, enum sm_wake_reason reason);

/* A wait with this deadline, for something other than time, is about to begin. If the deadline is
   near, time may leap to it before other threads do anything (SM_PURPOSE_TIMEOUT). */
void sm_time_may_pass(uint64_t deadline);

/* Virtual time in nanoseconds since the execution began. Advances a little at each scheduling
   point, and leaps when every thread waits. */
uint64_t sm_now(void);
/* Advances virtual time to `to`, unless it is later already. */
void sm_time_leap(uint64_t to);
/* Makes the scheduler call sm_timers_run (intercept/timer.h) at that time, or before. */
void sm_wake_at(uint64_t deadline);
/* A point in virtual time for an absolute timespec of a clock, and for a delay. */
uint64_t sm_deadline(int clock, const struct timespec *when);
uint64_t sm_deadline_in(uint64_t nanoseconds);
/* The result of clock_gettime. CLOCK_REALTIME starts at a fixed date. */
void sm_clock(int clock, struct timespec *now);

/* Records an event that is not a memory access: model, analyses, trace. The caller has
   already passed a scheduling point. */
void sm_sync(struct sm_event *event);

/* A new thread: sets it up, SPAWN event; the policy decides when it first runs. */
struct sm_thread *sm_spawn(void *(*start)(void *), void *arg, size_t stack_size, bool detached,
                           uintptr_t pc);
/* Executes a seq_cst fence in a thread that has started, now. */
void sm_fence_in(struct sm_thread *thread, void *pc);
/* Ends the calling thread (never the initial one), which has passed a scheduling point: END event,
   wakes the joining thread. */
_Noreturn void sm_thread_end(void *result);

/* Ends the execution now. Writes the result to the control block, then leaves. */
_Noreturn void sm_end(int end, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills an event of the running thread for an intercepted call. pc is
   __builtin_return_address(0) of the interceptor. */
static inline struct sm_event sm_sync_event(int kind, const void *object, uint64_t aux, void *pc)
{
    if (SM_UNLIKELY(!sm_engine->in_order) && sm_heap_owns(object))
        sm_heap_reserve(object);
    return (struct sm_event){.kind = (uint8_t)kind,
                             .order = SM_ORDER_PLAIN,
                             .thread = sm_running(),
                             .addr = (uintptr_t)object,
                             .pc = (uintptr_t)pc,
                             .old = aux,
                             .rf = SM_RF_NONE};
}

#endif
