/*
 * carrier.h - what a thread of the program runs on: a kernel thread, or a fiber.
 *
 * Both need a kernel thread for each thread of the program, created by libc on a stack at a fixed
 * address. As carrier `thread` it runs the program's code when it gets the token. As carrier
 * `fiber` it is a donor: it is parked for good and lends its stack and its thread-local storage to
 * a fiber that the initial kernel thread runs; so errno, __thread variables and libc's per-thread
 * state all work, and a switch costs a dozen instructions. Addresses, and so executions, are the
 * same with both.
 *
 * bench/engine has the numbers: a hand-over by futex is about 3 us, a fiber switch
 * below 50 ns.
 */
#ifndef SM_RUNTIME_SCHED_CARRIER_H
#define SM_RUNTIME_SCHED_CARRIER_H

#include "runtime/thread.h"

struct sm_carrier {
    const char *name;
    /* Makes thread able to run; it does not run yet. Its donor exists and is ready. */
    void (*start)(struct sm_thread *thread);
    /* Switches from the calling thread; returns when another thread switches back. */
    void (*hand_over)(struct sm_thread *from, struct sm_thread *to);
    /* The same for a thread that has ended: it never runs again. */
    void (*leave)(struct sm_thread *from, struct sm_thread *to);
};

extern const struct sm_carrier sm_carrier_thread, sm_carrier_fiber;

/* Of a thread created without attributes. */
size_t sm_default_stack_size(void);
/* donor.c: the kernel thread behind each thread. Gives thread a donor, a new one or, where
   executions restart in this process, the previous one of its number. 0 or an errno. */
int sm_donor_attach(struct sm_thread *thread, size_t stack_size);
/* Ends the kernel thread of a thread that has ended and frees its stack; or keeps both for the next
   execution. */
void sm_donor_release(struct sm_thread *thread);
/* The thread's code starts there: its stack lies below, libc's data and ours above. */
uintptr_t sm_donor_first_frame(const struct sm_thread *thread);
/* Before each execution: the kernel threads that there are are known. Then: are there others, which
   the program made by clone, or a library inside (asynchronous I/O, SIGEV_THREAD)? They are not
   under control. */
void sm_donors_start(void);
bool sm_has_strangers(void);
/* In a fork server: creates donors for executions with so many threads (see donor.c). */
void sm_donors_prepare(uint32_t n_threads);
/* The token of a kernel thread: pass it, wait for it. */
void sm_donor_go(struct sm_thread *thread);
void sm_donor_wait(struct sm_thread *thread);
/* Runs the thread's code; never returns. */
_Noreturn void sm_thread_body(void *thread);
/* The stack of the initial thread: where to start main. */
void *sm_donor_initial_stack(struct sm_thread *thread);

/* Marks the calling kernel thread as carrying `thread` (NULL: none). */
void sm_set_self(struct sm_thread *thread);

/* carrier_fiber.c: runs function(arg) as a fiber with the calling thread's own thread-local
   storage; returns when sm_fiber_leave is called with what was saved. */
void sm_fiber_run(void **save, void *stack, void (*function)(void *), void *arg);
_Noreturn void sm_fiber_leave(void *saved);

/* switch.S */
void sm_run_on(void *stack_pointer, void (*function)(void *), void *arg);
void *sm_fiber_prepare(void *stack_pointer, void (*function)(void *), void *arg);
void sm_fiber_switch(void **save, void *load, uintptr_t fs_base, int has_fsgsbase);

#endif
