/* internal.h - shared by the files of the scheduler and init.c only. */
#ifndef SM_RUNTIME_SCHED_INTERNAL_H
#define SM_RUNTIME_SCHED_INTERNAL_H

#include "abi/control.h"
#include "base/sys.h"
#include "runtime/thread.h"

struct sm_thread *sm_thread_new(void);

/* Makes the calling kernel thread the initial thread of a controlled execution. */
struct sm_thread *sm_sched_start(void);

/* time.c: virtual time */
void sm_time_start(void);
extern uint64_t sm_time; /* what sm_now returns */
/* A scheduling point takes a microsecond, so that a loop that polls the clock ends. */
enum { SM_POINT_TAKES = 1000 };

/* ready.c: the threads that can run, by number */
void sm_ready_start(void);
void sm_ready_add(struct sm_thread *thread);
void sm_ready_remove(struct sm_thread *thread);
extern struct sm_thread **sm_ready;
extern uint32_t sm_ready_count;
/* The index of `from`, or of the next one after it in circular order if it is not ready. */
uint32_t sm_ready_from(const struct sm_thread *from);

/* fds.c: threads blocked in calls on descriptors */
void sm_fds_waiting(int change); /* one more (+1) or one less (-1) */
/* No thread can run: wakes those whose descriptors are ready; if `for_ever`, blocks the process
   until something happens. False if no descriptor can become ready. */
bool sm_fds_settle(bool for_ever);
/* To be called at each scheduling point; cheap. */
enum { SM_FDS_RARELY = 4096 }; /* scheduling points between two polls while the program is busy */
extern uint32_t sm_fds_points; /* until the next poll */
extern bool sm_fds_are_new;    /* an interceptor may have made descriptors ready */
void sm_fds_look(void);
static inline void sm_fds_check(void)
{
    if (SM_UNLIKELY(--sm_fds_points == 0 || sm_fds_are_new))
        sm_fds_look();
}

/* intercept/signal.c: passes signals from outside, if there are any, to threads. */
void sm_signals_import(void);

/* A thread or a timer waits for a time. */
bool sm_waits_for_time(void);

_Noreturn void sm_deadlock(void);

/* progress.c: why no thread can run. */
struct sm_stall {
    enum sm_failure_kind kind;
    const struct sm_thread *signaller; /* lost-wakeup: the thread that signalled */
    const struct sm_cond_signal *lost;
    /* deadlock: a signal woke this one, though the other one also waited, elsewhere; or NULL */
    const struct sm_thread *waits_again, *passed;
};
/* `cycle`: the threads wait for each other's locks. */
struct sm_stall sm_stall_classify(bool cycle);
/* The thread that this one waits for; NULL: none in particular. */
const struct sm_thread *sm_holder_of(const struct sm_thread *thread);
/* It waits for memory to change; for a lock; for another thread to end. */
bool sm_waits_in_loop(const struct sm_thread *thread);
bool sm_waits_for_lock(const struct sm_thread *thread);
bool sm_waits_for_end(const struct sm_thread *thread);

#endif
