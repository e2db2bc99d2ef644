/*
 * wait.c - condition variables, barriers, once.
 *
 * A condition variable orders nothing by itself: its mutex, given up and taken back around
 * the wait, does.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <threads.h>

#include "core/libc/real.h"
#include "native/record.h"
#include "native/sync.h"

static void before_wait(void *mutex)
{
    sm_lock_given_up(mutex);
    sm_release_held(mutex);
}

/* Also runs when the wait is cancelled: the mutex is held again by then. */
static void after_wait(void *mutex)
{
    sm_acquire_held(mutex);
    sm_lock_taken(mutex);
}

#define WAIT(call)                                                                                 \
    int result;                                                                                    \
    before_wait(mutex);                                                                            \
    pthread_cleanup_push(after_wait, mutex);                                                       \
    result = call;                                                                                 \
    pthread_cleanup_pop(1);                                                                        \
    return result

SM_EXPORT int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    WAIT(SM_REAL(pthread_cond_wait)(cond, mutex));
}

SM_EXPORT int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                     const struct timespec *until)
{
    WAIT(SM_REAL(pthread_cond_timedwait)(cond, mutex, until));
}

SM_EXPORT int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                     const struct timespec *until)
{
    WAIT(SM_REAL(pthread_cond_clockwait)(cond, mutex, clock, until));
}

SM_EXPORT int cnd_wait(cnd_t *cond, mtx_t *mutex)
{
    WAIT(SM_REAL(cnd_wait)(cond, mutex));
}

SM_EXPORT int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *until)
{
    WAIT(SM_REAL(cnd_timedwait)(cond, mutex, until));
}

/* ---- barriers ----
 * Two clocks in turn: a thread that is early for the next phase must not give what it does
 * then to one that is late in leaving this one. Nobody is two phases late. */

static void set_count(pthread_barrier_t *barrier, unsigned count)
{
    struct sm_detect_thread *thread = sm_sync_enter();
    if (!thread)
        return;
    struct sm_granule_record *record = sm_record_lock((uintptr_t)barrier, true);
    record->count = count;
    record->phase = (record->phase / (2ul * count) + 1) * (2ul * count); /* it never goes back */
    sm_record_unlock(record);
    sm_sync_leave(thread);
}

/* The key of the phase that this arrival is part of. */
static uint32_t arrive(pthread_barrier_t *barrier)
{
    struct sm_detect_thread *thread = sm_sync_enter();
    uint32_t key = SM_KEY_PHASE;
    if (!thread)
        return key;
    struct sm_granule_record *record = sm_record_lock((uintptr_t)barrier, true);
    uint32_t count = record->count ? record->count : 1;
    key += record->phase / count % 2;
    if (record->phase % count == 0)
        sm_clock_empty(sm_record_clock(record, key));
    record->phase++;
    sm_record_unlock(record);
    sm_sync_leave(thread);
    return key;
}

SM_EXPORT int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *how,
                                   unsigned count)
{
    int result = SM_REAL(pthread_barrier_init)(barrier, how, count);
    if (result == 0)
        set_count(barrier, count);
    return result;
}

SM_EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    uint32_t key = arrive(barrier);
    sm_release(barrier, key);
    int result = SM_REAL(pthread_barrier_wait)(barrier);
    sm_acquire(barrier, key);
    return result;
}

/* ---- once ----
 * The routine runs inside libc's; what it did is released before libc lets others pass. That may be
 * an exception, or the end of the thread, in the middle of it: then another thread runs it again.
 * (Compiled with -fexceptions, for `cleanup` to see that.) */

static __thread struct {
    void (*routine)(void);
    void *control;
} once;

static void release_once(void *const *control)
{
    sm_release(*control, SM_KEY_MAIN);
}

static void run_once(void)
{
    __attribute__((cleanup(release_once))) void *control = once.control;
    sm_acquire(control, SM_KEY_MAIN);
    once.routine();
}

SM_EXPORT int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    __typeof__(once) outer = once;
    once.routine = routine;
    once.control = control;
    int result = SM_REAL(pthread_once)(control, run_once);
    once = outer;
    sm_acquire(control, SM_KEY_MAIN);
    return result;
}

SM_EXPORT void call_once(once_flag *control, void (*routine)(void))
{
    pthread_once((pthread_once_t *)control, routine);
}
_Static_assert(sizeof(once_flag) == sizeof(pthread_once_t), "libc's are the same, too");
