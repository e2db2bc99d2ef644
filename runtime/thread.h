/*
 * thread.h - a thread of the program under test.
 *
 * Threads are numbered in order of creation; the initial thread is 0. Numbers are not reused
 * within an execution. Where executions are enumerated the nth thread that a thread creates has
 * the same number in each. Exactly one thread runs at a time, so all fields may be written by the
 * running thread, except where noted.
 */
#ifndef SM_RUNTIME_THREAD_H
#define SM_RUNTIME_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/event.h"

enum sm_thread_state {
    SM_THREAD_NEW,      /* created, not yet scheduled */
    SM_THREAD_RUNNABLE, /* running, or could */
    SM_THREAD_BLOCKED,  /* on `queue`, until woken or `deadline` */
    SM_THREAD_ENDED,
};

enum sm_wake_reason {
    SM_WOKEN,     /* sm_wake_one or sm_wake_all was called on the queue */
    SM_TIMED_OUT, /* virtual time reached the deadline */
    SM_SIGNALLED, /* a signal is pending for the thread, or it was cancelled */
};

#define SM_NO_DEADLINE UINT64_MAX

/* A lock of the C++ library is taken up to four calls below the user's function. */
enum { SM_TAKEN_DEPTH = 6 };

/* A signal or broadcast of a condition. */
struct sm_cond_signal {
    const void *cond;
    uintptr_t pc; /* after the call */
    uint64_t at;  /* scheduling points until then */
    bool broadcast;
};

struct sm_thread {
    uint32_t id;
    uint8_t state;       /* enum sm_thread_state */
    uint8_t wake_reason; /* enum sm_wake_reason, valid after sm_block */
    bool detached;
    bool joined;
    bool in_runtime;    /* interceptors called from here on go straight to libc */
    bool handling;      /* woken only to run signal handlers: still on its queue */
    bool interruptible; /* blocked: a signal or a cancellation wakes it */
    bool cancel_pending, cancel_disabled, cancel_async;
    bool ignores_result;   /* of the next call: see sm_ignore_result in hooks.def */
    bool retries_wait;     /* the next one: see sm_wait_retried in hooks.def */
    bool cas_failed;       /* its last compare-exchange, spuriously */
    uint32_t ignored;      /* > 0: its accesses race with no others, by annotation */
    bool begun;            /* its start is an event; the initial thread has none */
    bool fence_first;      /* membarrier was called between its creation and its start */
    uint32_t sync_ignored; /* > 0: its synchronisation orders nothing (hb.c), by annotation */
    uint32_t no_switch;    /* > 0: no other thread runs until it blocks */
    uint64_t priority;     /* for the policies (pct, pos) */
    uint32_t polls;        /* yields inside libomp, while waiting: intercept/openmp.h */
    uint32_t member;       /* of an OpenMP team: intercept/openmp.h; 0: of none */
    uint32_t points;       /* scheduling points it has reached */

    /* blocked */
    const void *queue;                   /* what it waits for: any address; NULL: only for time */
    uint64_t deadline;                   /* virtual nanoseconds, SM_NO_DEADLINE if none */
    int wait_fd;                         /* >= 0: blocked in a call on this descriptor */
    short wait_events;                   /* poll(2) events awaited on wait_fd */
    bool wait_outside;                   /* only another process can make wait_fd ready */
    const struct sm_thread *wait_holder; /* the holder of what it waits for; may be NULL */
    const void *wait_mutex;              /* of a condition wait, while it is blocked there */
    const char *wait_what;    /* for the deadlock report: "mutex", "condition variable", ... */
    struct sm_event *pending; /* the event it is about to perform; NULL while it computes */

    /* Locks held, in the order in which they were taken, with the program counter after the call.
       For reports, and to check whether a lock is held; taken_lost: those without room. */
    struct sm_taken {
        uintptr_t lock, pc;
        bool shared;
        uint32_t depth;
        uint64_t stack[SM_TAKEN_DEPTH]; /* inside the calls, innermost first */
    } taken[8];
    uint32_t n_taken, taken_lost;
    bool located; /* some event of it has a stack in the trace, which shows where it began */
    /* Written by sched/progress.c, for the report that no thread can run. */
    const void *waits_on;                /* the condition, between WAIT and WAKE */
    struct sm_cond_signal signal;        /* its last one */
    struct sm_cond_signal woken;         /* the signal that ended its wait, if one did */
    struct sm_cond_signal previous_wake; /* the signal that ended its previous wait, if one did */
    uint32_t woken_by, previous_wake_by; /* the threads that sent these */
    uint64_t waited;               /* scheduling points when it began to wait for a condition */
    struct sm_cond_signal lost[4]; /* those that found no waiter */
    uint32_t n_lost;               /* the last few of these are in lost */
    uint64_t loaded;               /* scheduling points when it last read memory */
    uint64_t locked;               /* and when it last took a lock */
    struct sm_repeated {           /* written by sched/livelock.c */
        uint64_t since;            /* what sm_livelock_from was */
        uint64_t until;            /* scheduling points at which another snapshot is taken */
        const struct sm_site *site;
        uintptr_t addr;
        uint64_t state; /* at that read */
        uint32_t tries;
        bool repeats; /* it has been there again in that state */
    } repeated;
    bool tries; /* it is taking a lock with a time limit, or only tries */

    /* program */
    void *(*start)(void *);
    void *arg;
    void *result;
    pthread_t handle; /* of the kernel thread that carries it or lends it its TLS */
    uint32_t parent;
    uintptr_t created_at; /* inside the call; 0: unknown */

    /* carrier: see sched/carrier.h */
    struct sm_donor *donor; /* its kernel thread and stack */
    void *stack_low;
    size_t stack_size;
    void *context;   /* where the body starts; then, fiber: saved stack pointer */
    uintptr_t frame; /* of the runtime, while another thread runs; 0: it has not run */
    uintptr_t tls;   /* fiber: FS base */

    /* signals: see intercept/signal.c */
    sigset_t signals_blocked;
    sigset_t signals_awaited; /* while it is in sigwait: the set it waits for */
    uint32_t handlers_run;    /* how many handlers it has entered */
    uint32_t interrupting;    /* how many running handlers interrupt code at an arbitrary event, not
                                 in a call that sends a signal or waits */
    bool at_any_event;        /* signals are being delivered at such an event */
    bool interrupted;         /* a handler since the call began was not SA_RESTART */

    /* owned by sync/join.c and intercept/{cleanup,keys}.c */
    const struct sm_thread *joiner; /* the thread that waits for its end */
    uint32_t joined_by;             /* valid if `joined` */
    bool exited;       /* initial thread: left main by pthread_exit, and counts as ended; the last
                          one: ends the process */
    void *exit_result; /* valid while pthread_exit or a cancellation unwinds the stack */
    void *cleanups;    /* innermost buffer of pthread_cleanup_push, of C without exceptions */
    void *unwinding;   /* the exception object of a forced unwinding */
    void *destructors; /* of C++ thread_local objects, newest first */
    void **keys;       /* blocks of values of pthread_setspecific */

    /* owned by model/ and analysis/: one pointer each, NULL at start */
    void *model_state;
    void *hb_state;

    struct sm_assumed_state *assumed; /* owned by assume.c: NULL at start */

    struct sm_thread *next; /* all threads, in order of creation */
};

/* Written by sched/donor.c only. */
extern _Thread_local struct sm_thread *sm_self_tls __attribute__((tls_model("initial-exec")));

/* The running thread, also inside the runtime. In assembly, because a compiler may keep the address
   of thread-local memory in a register, and a fiber has another thread's after a switch. */
static inline struct sm_thread *sm_running(void)
{
    struct sm_thread *self;
    __asm__ volatile("movq sm_self_tls@GOTTPOFF(%%rip), %0\n\tmovq %%fs:(%0), %0" : "=r"(self));
    return self;
}

/* The running thread; NULL when the program is not under control (no driver, before
   main, in a forked child, or inside the runtime itself). */
static inline struct sm_thread *sm_self(void)
{
    struct sm_thread *self = sm_running();
    return self && !self->in_runtime ? self : NULL;
}
struct sm_thread *sm_thread_by_id(uint32_t id);
struct sm_thread *sm_thread_by_handle(pthread_t handle);
uint32_t sm_thread_count(void);

#endif
