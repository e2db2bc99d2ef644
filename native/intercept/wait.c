/*
 * wait.c - condition variables, barriers, once.
 *
 * A condition variable orders nothing by itself: releasing and acquiring its mutex around the wait
 * does.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <threads.h>

#include "core/libc/real.h"
#include "core/openmp/openmp.h"
#include "native/misuse.h"
#include "native/order.h"
#include "native/record.h"
#include "native/sync.h"
#include "native/uses.h"

struct wait {
    pthread_cond_t *cond;
    pthread_mutex_t *mutex;
    bool for_ever;
    bool refused; /* the thread does not hold the mutex */
};

static void before_wait(struct wait *wait)
{
    sm_check_wait(wait->cond, wait->mutex, wait->for_ever);
    wait->refused = sm_unlock_is_refused(wait->mutex);
    if (wait->refused)
        return;
    sm_lock_given_up(wait->mutex);
    sm_release_held(wait->mutex);
}

/* Also runs when the wait is cancelled: the mutex is held again by then. */
static void after_wait(void *waited)
{
    const struct wait *wait = waited;
    if (wait->for_ever)
        sm_wait_is_over(wait->cond);
    if (wait->refused)
        return;
    sm_order_taken((uintptr_t)wait->mutex, SM_HOLD_MUTEX);
    sm_lock_taken(wait->mutex, SM_HOLD_MUTEX);
    sm_acquire_held(wait->mutex);
    if (sm_current) /* ordered after the thread that woke it */
        sm_current->ordered = true;
}

#define WAIT(for_ever, call)                                                                       \
    int result;                                                                                    \
    if (sm_openmp_calls(SM_CALLER()))                                                              \
        return call;                                                                               \
    struct wait wait = {(pthread_cond_t *)cond, (pthread_mutex_t *)mutex, for_ever, false};        \
    sm_object_is_used(cond, SM_CALLER());                                                          \
    before_wait(&wait);                                                                            \
    pthread_cleanup_push(after_wait, &wait);                                                       \
    result = call;                                                                                 \
    pthread_cleanup_pop(1);                                                                        \
    return result

SM_EXPORT int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    WAIT(true, SM_REAL(pthread_cond_wait)(cond, mutex));
}

SM_EXPORT int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                     const struct timespec *until)
{
    WAIT(false, SM_REAL(pthread_cond_timedwait)(cond, mutex, until));
}

SM_EXPORT int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                     const struct timespec *until)
{
    WAIT(false, SM_REAL(pthread_cond_clockwait)(cond, mutex, clock, until));
}

SM_EXPORT int cnd_wait(cnd_t *cond, mtx_t *mutex)
{
    WAIT(true, SM_REAL(cnd_wait)(cond, mutex));
}

SM_EXPORT int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *until)
{
    WAIT(false, SM_REAL(cnd_timedwait)(cond, mutex, until));
}

/* ---- barriers ----
 * Two clocks in turn: a thread that already arrives at the next phase must not release to one that
 * has not yet left this phase. No thread is two phases late. */

/* Returns how many threads are needed; `arrived`: how many have arrived in the current round. */
static uint32_t count_of(pthread_barrier_t *barrier, uint64_t *arrived)
{
    struct sm_detect_thread *thread = sm_sync_enter();
    *arrived = 0;
    if (!thread)
        return 1;
    struct sm_granule_record *record = sm_record_lock((uintptr_t)barrier, true);
    uint32_t count = record->count;
    if (count)
        *arrived = record->phase % count;
    sm_record_unlock(record);
    sm_sync_leave(thread);
    return count;
}

static void set_count(pthread_barrier_t *barrier, unsigned count)
{
    struct sm_detect_thread *thread = sm_sync_enter();
    if (!thread)
        return;
    struct sm_granule_record *record = sm_record_lock((uintptr_t)barrier, true);
    record->count = count;
    record->phase = (record->phase / (2ul * count) + 1) * (2ul * count); /* never decreases */
    sm_record_unlock(record);
    sm_sync_leave(thread);
}

/* The key of the phase that this arrival belongs to. */
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
    uint64_t arrived;
    count_of(barrier, &arrived);
    sm_check_barrier_init(barrier, arrived);
    sm_object_begins(barrier, SM_CALLER());
    int result = SM_REAL(pthread_barrier_init)(barrier, how, count);
    if (result != 0)
        return result;
    set_count(barrier, count);
    sm_mark_set_life(sm_barrier_mark(barrier), SM_LIFE_INITIALISED);
    return 0;
}

SM_EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    uint64_t arrived;
    sm_object_is_used(barrier, SM_CALLER());
    sm_check_barrier(barrier, count_of(barrier, &arrived));
    uint32_t key = arrive(barrier);
    sm_release(barrier, key);
    int result = SM_REAL(pthread_barrier_wait)(barrier);
    sm_acquire(barrier, key);
    return result;
}

SM_EXPORT int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    uint64_t arrived;
    count_of(barrier, &arrived);
    sm_check_barrier_destroy(barrier, arrived);
    int result = SM_REAL(pthread_barrier_destroy)(barrier);
    if (result != 0)
        return result;
    sm_object_ends(barrier, SM_CALLER());
    sm_mark_set_life(sm_barrier_mark(barrier), SM_LIFE_DESTROYED);
    return 0;
}

/* ---- once ----
 * The routine runs inside libc's pthread_once; its effects are released before libc lets others
 * pass. It may be left by an exception or by the end of the thread: then another thread runs it
 * again. (Compiled with -fexceptions, so that `cleanup` runs then.) */

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
