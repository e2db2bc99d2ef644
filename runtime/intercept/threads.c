/*
 * The functions of C11 threads.h. In glibc 2.36 they call the pthread functions inside libc,
 * bypassing us, so each is defined here again. mtx_t, cnd_t, once_flag, thrd_t and tss_t are
 * glibc's pthread types under other names.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <threads.h>

#include "runtime/aside.h"
#include "runtime/control.h"
#include "runtime/intercept/cancel.h"
#include "runtime/intercept/keys.h"
#include "runtime/intercept/real.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/object.h"
#include "runtime/sync/sync.h"

static int to_thrd(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case ENOMEM:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    case EBUSY:
        return thrd_busy;
    default:
        return thrd_error;
    }
}

static pthread_mutex_t *as_mutex(mtx_t *mutex)
{
    return (pthread_mutex_t *)mutex;
}

static pthread_cond_t *as_cond(cnd_t *cond)
{
    return (pthread_cond_t *)cond;
}

/* ---- threads ---- */

/* A start routine of threads.h returns an int: this wrapper converts it to a pointer. */
struct start {
    thrd_start_t routine;
    void *arg;
};

static void *run_start(void *arg)
{
    struct start start = *(struct start *)arg;
    if (sm_self()->id < SM_MAX_STARTS)
        sm_control->starts[sm_self()->id] = (uintptr_t)start.routine;
    sm_free(arg, sizeof(start));
    return (void *)(intptr_t)start.routine(start.arg);
}

SM_EXPORT int thrd_create(thrd_t *thread, thrd_start_t routine, void *arg)
{
    SM_PASS(thrd_create, thread, routine, arg);
    struct start *start = sm_alloc(sizeof(*start));
    *start = (struct start){routine, arg};
    int error = sm_create(thread, NULL, run_start, start, SM_CALLER());
    if (error)
        sm_free(start, sizeof(*start));
    return to_thrd(error);
}

SM_EXPORT thrd_t thrd_current(void)
{
    return pthread_self();
}

SM_EXPORT int thrd_join(thrd_t thread, int *result)
{
    SM_PASS(thrd_join, thread, result);
    void *value = NULL;
    int error = sm_join(thread, &value, SM_FOREVER, SM_CALLER());
    if (!error && result)
        *result = (int)(intptr_t)value;
    return to_thrd(error);
}

SM_EXPORT int thrd_detach(thrd_t thread)
{
    SM_PASS(thrd_detach, thread);
    return to_thrd(sm_detach(thread));
}

SM_EXPORT void thrd_exit(int result)
{
    if (!sm_self())
        SM_REAL(thrd_exit)(result);
    sm_thread_exit((void *)(intptr_t)result);
}

/* ---- mutexes ---- */

SM_EXPORT int mtx_init(mtx_t *mutex, int type)
{
    SM_PASS(mtx_init, mutex, type);
    sm_check_init(as_mutex(mutex));
    sm_sync_renew(mutex, SM_CALLER());
    int result = SM_REAL(mtx_init)(mutex, type);
    if (result == thrd_success)
        sm_mark_set_life(sm_mutex_mark(as_mutex(mutex)), SM_LIFE_INITIALISED);
    return result;
}

SM_EXPORT void mtx_destroy(mtx_t *mutex)
{
    SM_PASS(mtx_destroy, mutex);
    sm_mutex_destroy(as_mutex(mutex), SM_CALLER());
}

SM_EXPORT int mtx_lock(mtx_t *mutex)
{
    SM_PASS(mtx_lock, mutex);
    return to_thrd(sm_mutex_lock(as_mutex(mutex), SM_FOREVER, SM_CALLER()));
}

SM_EXPORT int mtx_trylock(mtx_t *mutex)
{
    SM_PASS(mtx_trylock, mutex);
    return to_thrd(sm_mutex_lock(as_mutex(mutex), SM_TRY, SM_CALLER()));
}

SM_EXPORT int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict when)
{
    SM_PASS(mtx_timedlock, mutex, when);
    struct sm_limit limit = sm_until(CLOCK_REALTIME, when);
    return to_thrd(sm_mutex_lock(as_mutex(mutex), limit, SM_CALLER()));
}

SM_EXPORT int mtx_unlock(mtx_t *mutex)
{
    SM_PASS(mtx_unlock, mutex);
    return to_thrd(sm_mutex_unlock(as_mutex(mutex), SM_CALLER()));
}

/* ---- conditions ---- */

SM_EXPORT int cnd_init(cnd_t *cond)
{
    sm_aside(SM_EV_STORE, cond, 1, SM_CALLER());
    return SM_REAL(cnd_init)(cond);
}

SM_EXPORT void cnd_destroy(cnd_t *cond)
{
    SM_PASS(cnd_destroy, cond);
    sm_cond_destroy(as_cond(cond), SM_CALLER());
}

SM_EXPORT int cnd_wait(cnd_t *cond, mtx_t *mutex)
{
    SM_PASS(cnd_wait, cond, mutex);
    return to_thrd(sm_cond_wait(as_cond(cond), as_mutex(mutex), SM_FOREVER, SM_CALLER()));
}

SM_EXPORT int cnd_timedwait(cnd_t *restrict cond, mtx_t *restrict mutex,
                            const struct timespec *restrict when)
{
    SM_PASS(cnd_timedwait, cond, mutex, when);
    struct sm_limit limit = sm_until(CLOCK_REALTIME, when);
    return to_thrd(sm_cond_wait(as_cond(cond), as_mutex(mutex), limit, SM_CALLER()));
}

SM_EXPORT int cnd_signal(cnd_t *cond)
{
    SM_PASS(cnd_signal, cond);
    return to_thrd(sm_cond_signal(as_cond(cond), SM_CALLER()));
}

SM_EXPORT int cnd_broadcast(cnd_t *cond)
{
    SM_PASS(cnd_broadcast, cond);
    return to_thrd(sm_cond_broadcast(as_cond(cond), SM_CALLER()));
}

/* ---- once and thread-specific storage ---- */

SM_EXPORT void call_once(once_flag *flag, void (*routine)(void))
{
    SM_PASS(call_once, flag, routine);
    sm_once((pthread_once_t *)flag, routine, SM_CALLER());
}

SM_EXPORT int tss_create(tss_t *key, tss_dtor_t destructor)
{
    return to_thrd(sm_key_create(key, destructor));
}

SM_EXPORT void tss_delete(tss_t key)
{
    sm_key_delete(key);
}

SM_EXPORT void *tss_get(tss_t key)
{
    SM_PASS(tss_get, key);
    return sm_key_get(key);
}

SM_EXPORT int tss_set(tss_t key, void *value)
{
    SM_PASS(tss_set, key, value);
    return to_thrd(sm_key_set(key, value));
}
