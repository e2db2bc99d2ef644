/*
 * Condition variables. A condition has no state but the threads that wait on it, so it has no
 * entry in the table of objects. Releasing the mutex and starting to wait are one step, because
 * there is no scheduling point between them. POSIX allows spurious wake-ups (SM_PURPOSE_SPURIOUS);
 * the schedule decides how long one takes.
 */
#include "runtime/aside.h"
#include "runtime/choice.h"
#include "runtime/engine.h"
#include "runtime/intercept/cancel.h"
#include "runtime/intercept/real.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/operations.h"

enum { MONOTONIC_BIT = 2 }; /* glibc: in __wrefs */

clockid_t sm_cond_clock(const pthread_cond_t *cond)
{
    return cond->__data.__wrefs & MONOTONIC_BIT ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

/* The queue on which pthread_cond_destroy waits until the last waiter has left. */
static const void *destroy_queue(const pthread_cond_t *cond)
{
    return (const char *)cond + 1;
}

static enum sm_wake_reason sleep_on(pthread_cond_t *cond, const pthread_mutex_t *mutex,
                                    struct sm_limit limit, struct sm_event *event)
{
    struct sm_wait wait = {
        .queue = cond,
        .what = "condition variable",
        .deadline = limit.deadline,
        .interruptible = true,
    };
    if (sm_choose(SM_PURPOSE_SPURIOUS, 2, NULL)) {
        sm_point(event);
        return SM_WOKEN;
    }
    sm_time_may_pass(limit.deadline);
    event->thread->wait_mutex = mutex;
    enum sm_wake_reason reason = sm_block(&wait, event);
    event->thread->wait_mutex = NULL;
    sm_wake_all(destroy_queue(cond));
    return reason;
}

static int wait(pthread_cond_t *cond, pthread_mutex_t *mutex, struct sm_limit limit,
                struct sm_event *event)
{
    void *pc = (void *)event->pc;
    sm_point(event);
    if (limit.error == EINVAL)
        return EINVAL;
    if (!sm_mutex_may_unlock(mutex))
        return EPERM;
    sm_sync(event);
    int error = sm_mutex_give_up(mutex, pc);
    if (error)
        return error;
    enum sm_wake_reason reason = sleep_on(cond, mutex, limit, event);
    *event = sm_sync_event(SM_EV_WAKE, cond, reason, pc);
    sm_sync(event);
    error = sm_mutex_lock_again(mutex, pc);
    /* A signalled thread has consumed the signal: being cancelled here would lose it. After a
       signal handler the wait is over too; POSIX calls that a spurious wake-up. */
    if (reason == SM_SIGNALLED)
        sm_test_cancel();
    if (error)
        return error;
    return reason == SM_TIMED_OUT ? ETIMEDOUT : 0;
}

static void signal_one(pthread_cond_t *cond, struct sm_event *event)
{
    sm_point(event);
    sm_sync(event);
    sm_wake_one(cond);
}

static void broadcast(pthread_cond_t *cond, struct sm_event *event)
{
    sm_point(event);
    sm_sync(event);
    sm_wake_all(cond);
}

static void drain(pthread_cond_t *cond, struct sm_event *event)
{
    struct sm_wait wait = {
        .queue = destroy_queue(cond),
        .what = "condition variable to lose its waiters, to destroy it",
        .deadline = SM_NO_DEADLINE,
    };
    while (sm_waiters(cond))
        sm_block(&wait, event);
}

const struct sm_cond_operations sm_cond_sampling = {wait, signal_one, broadcast, drain};

int sm_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, struct sm_limit limit, void *pc)
{
    sm_test_cancel();
    struct sm_event event = sm_sync_event(SM_EV_WAIT, cond, 0, pc);
    sm_check_wait(cond, mutex);
    return sm_engine->sync->cond->wait(cond, mutex, limit, &event);
}

int sm_cond_signal(pthread_cond_t *cond, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_SIGNAL, cond, 0, pc);
    sm_check_cond(cond);
    sm_engine->sync->cond->signal(cond, &event);
    return 0;
}

int sm_cond_broadcast(pthread_cond_t *cond, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_BROADCAST, cond, 0, pc);
    sm_check_cond(cond);
    sm_engine->sync->cond->broadcast(cond, &event);
    return 0;
}

/* glibc's waits for the waiters to leave, and so for ever if they are not woken. */
int sm_cond_destroy(pthread_cond_t *cond, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_WAIT, cond, 0, pc);
    sm_check_cond_destroy(cond);
    sm_aside(SM_EV_STORE, cond, 1, pc);
    sm_engine->sync->cond->drain(cond, &event);
    return SM_REAL(pthread_cond_destroy)(cond);
}
