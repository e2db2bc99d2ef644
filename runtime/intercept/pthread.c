/* The functions of pthread.h: implemented in sync/, cleanup.c and keys.c. */
#define _GNU_SOURCE
#include <pthread.h>

#include "runtime/aside.h"
#include "runtime/engine.h"
#include "runtime/init.h"
#include "runtime/intercept/real.h"
#include "runtime/sync/object.h"
#include "runtime/sync/sync.h"

/* ---- threads ---- */

/* glibc: a handle is the FS base. */
SM_EXPORT pthread_t pthread_self(void)
{
    const struct sm_thread *self = sm_self();
    if (self)
        sm_engine_identified(self->id);
    return (pthread_t)__builtin_thread_pointer();
}

SM_EXPORT int pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                             void *(*start)(void *), void *arg)
{
    if (sm_starting())
        sm_created_early();
    SM_PASS(pthread_create, handle, attributes, start, arg);
    return sm_create(handle, attributes, start, arg, SM_CALLER());
}

SM_EXPORT int pthread_join(pthread_t handle, void **result)
{
    SM_PASS(pthread_join, handle, result);
    return sm_join(handle, result, SM_FOREVER, SM_CALLER());
}

SM_EXPORT int pthread_tryjoin_np(pthread_t handle, void **result)
{
    SM_PASS(pthread_tryjoin_np, handle, result);
    return sm_join(handle, result, SM_TRY, SM_CALLER());
}

SM_EXPORT int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *when)
{
    SM_PASS(pthread_timedjoin_np, handle, result, when);
    return sm_join(handle, result, sm_until(CLOCK_REALTIME, when), SM_CALLER());
}

SM_EXPORT int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock,
                                   const struct timespec *when)
{
    SM_PASS(pthread_clockjoin_np, handle, result, clock, when);
    if (!sm_clock_valid(clock))
        return EINVAL;
    return sm_join(handle, result, sm_until(clock, when), SM_CALLER());
}

/* Libc knows the stacks that it allocated; that of the initial thread is ours. */
SM_EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t *attributes)
{
    int error = SM_REAL(pthread_getattr_np)(handle, attributes);
    const struct sm_thread *initial = sm_self() ? sm_thread_by_id(0) : NULL;
    if (!error && initial && handle == initial->handle)
        error = pthread_attr_setstack(attributes, initial->stack_low, initial->stack_size);
    return error;
}

SM_EXPORT int pthread_detach(pthread_t handle)
{
    SM_PASS(pthread_detach, handle);
    return sm_detach(handle);
}

/* ---- mutexes ---- */

SM_EXPORT int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    SM_PASS(pthread_mutex_init, mutex, attributes);
    return sm_mutex_init(mutex, attributes, SM_CALLER());
}

SM_EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    SM_PASS(pthread_mutex_destroy, mutex);
    return sm_mutex_destroy(mutex, SM_CALLER());
}

SM_EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    SM_PASS(pthread_mutex_lock, mutex);
    return sm_mutex_lock(mutex, SM_FOREVER, SM_CALLER());
}

SM_EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    SM_PASS(pthread_mutex_trylock, mutex);
    return sm_mutex_lock(mutex, SM_TRY, SM_CALLER());
}

SM_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *when)
{
    SM_PASS(pthread_mutex_timedlock, mutex, when);
    return sm_mutex_lock(mutex, sm_until(CLOCK_REALTIME, when), SM_CALLER());
}

SM_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                      const struct timespec *when)
{
    SM_PASS(pthread_mutex_clocklock, mutex, clock, when);
    if (!sm_clock_valid(clock))
        return EINVAL;
    return sm_mutex_lock(mutex, sm_until(clock, when), SM_CALLER());
}

SM_EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    SM_PASS(pthread_mutex_unlock, mutex);
    return sm_mutex_unlock(mutex, SM_CALLER());
}

SM_EXPORT int pthread_mutex_consistent(pthread_mutex_t *mutex)
{
    SM_PASS(pthread_mutex_consistent, mutex);
    return sm_mutex_consistent(mutex);
}

/* ---- read-write locks ---- */

SM_EXPORT int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
    SM_PASS(pthread_rwlock_init, lock, attributes);
    return sm_rwlock_init(lock, attributes, SM_CALLER());
}

SM_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
    SM_PASS(pthread_rwlock_destroy, lock);
    return sm_rwlock_destroy(lock, SM_CALLER());
}

SM_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    SM_PASS(pthread_rwlock_rdlock, lock);
    return sm_rwlock_read_lock(lock, SM_FOREVER, SM_CALLER());
}

SM_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    SM_PASS(pthread_rwlock_tryrdlock, lock);
    return sm_rwlock_read_lock(lock, SM_TRY, SM_CALLER());
}

SM_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *when)
{
    SM_PASS(pthread_rwlock_timedrdlock, lock, when);
    return sm_rwlock_read_lock(lock, sm_until(CLOCK_REALTIME, when), SM_CALLER());
}

SM_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                                         const struct timespec *when)
{
    SM_PASS(pthread_rwlock_clockrdlock, lock, clock, when);
    if (!sm_clock_valid(clock))
        return EINVAL;
    return sm_rwlock_read_lock(lock, sm_until(clock, when), SM_CALLER());
}

SM_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    SM_PASS(pthread_rwlock_wrlock, lock);
    return sm_rwlock_write_lock(lock, SM_FOREVER, SM_CALLER());
}

SM_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    SM_PASS(pthread_rwlock_trywrlock, lock);
    return sm_rwlock_write_lock(lock, SM_TRY, SM_CALLER());
}

SM_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *when)
{
    SM_PASS(pthread_rwlock_timedwrlock, lock, when);
    return sm_rwlock_write_lock(lock, sm_until(CLOCK_REALTIME, when), SM_CALLER());
}

SM_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                                         const struct timespec *when)
{
    SM_PASS(pthread_rwlock_clockwrlock, lock, clock, when);
    if (!sm_clock_valid(clock))
        return EINVAL;
    return sm_rwlock_write_lock(lock, sm_until(clock, when), SM_CALLER());
}

SM_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    SM_PASS(pthread_rwlock_unlock, lock);
    return sm_rwlock_unlock(lock, SM_CALLER());
}

/* ---- condition variables ---- */

SM_EXPORT int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes)
{
    sm_aside(SM_EV_STORE, cond, 1, SM_CALLER());
    return SM_REAL(pthread_cond_init)(cond, attributes);
}

SM_EXPORT int pthread_cond_destroy(pthread_cond_t *cond)
{
    SM_PASS(pthread_cond_destroy, cond);
    return sm_cond_destroy(cond, SM_CALLER());
}

SM_EXPORT int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    SM_PASS(pthread_cond_wait, cond, mutex);
    return sm_cond_wait(cond, mutex, SM_FOREVER, SM_CALLER());
}

SM_EXPORT int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                     const struct timespec *when)
{
    SM_PASS(pthread_cond_timedwait, cond, mutex, when);
    return sm_cond_wait(cond, mutex, sm_until(sm_cond_clock(cond), when), SM_CALLER());
}

SM_EXPORT int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                     const struct timespec *when)
{
    SM_PASS(pthread_cond_clockwait, cond, mutex, clock, when);
    if (!sm_clock_valid(clock))
        return EINVAL;
    return sm_cond_wait(cond, mutex, sm_until(clock, when), SM_CALLER());
}

SM_EXPORT int pthread_cond_signal(pthread_cond_t *cond)
{
    SM_PASS(pthread_cond_signal, cond);
    return sm_cond_signal(cond, SM_CALLER());
}

SM_EXPORT int pthread_cond_broadcast(pthread_cond_t *cond)
{
    SM_PASS(pthread_cond_broadcast, cond);
    return sm_cond_broadcast(cond, SM_CALLER());
}

/* ---- barriers, spin locks ---- */

SM_EXPORT int pthread_barrier_init(pthread_barrier_t *barrier,
                                   const pthread_barrierattr_t *attributes, unsigned count)
{
    SM_PASS(pthread_barrier_init, barrier, attributes, count);
    return sm_barrier_init(barrier, attributes, count, SM_CALLER());
}

SM_EXPORT int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    SM_PASS(pthread_barrier_destroy, barrier);
    return sm_barrier_destroy(barrier, SM_CALLER());
}

SM_EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    SM_PASS(pthread_barrier_wait, barrier);
    return sm_barrier_wait(barrier, SM_CALLER());
}

SM_EXPORT int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    SM_PASS(pthread_spin_init, lock, shared);
    sm_sync_renew((const void *)lock, SM_CALLER());
    return SM_REAL(pthread_spin_init)(lock, shared);
}

SM_EXPORT int pthread_spin_destroy(pthread_spinlock_t *lock)
{
    SM_PASS(pthread_spin_destroy, lock);
    return sm_spin_destroy(lock, SM_CALLER());
}

SM_EXPORT int pthread_spin_lock(pthread_spinlock_t *lock)
{
    SM_PASS(pthread_spin_lock, lock);
    return sm_spin_lock(lock, SM_FOREVER, SM_CALLER());
}

SM_EXPORT int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    SM_PASS(pthread_spin_trylock, lock);
    return sm_spin_lock(lock, SM_TRY, SM_CALLER());
}

SM_EXPORT int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    SM_PASS(pthread_spin_unlock, lock);
    return sm_spin_unlock(lock, SM_CALLER());
}

/* ---- once, static locals of C++ ---- */

SM_EXPORT int pthread_once(pthread_once_t *once, void (*routine)(void))
{
    SM_PASS(pthread_once, once, routine);
    return sm_once(once, routine, SM_CALLER());
}

/* Defined by libstdc++, which a C program does not have: looked up when called. */
SM_EXPORT int __cxa_guard_acquire(uint64_t *guard)
{
    SM_PASS(__cxa_guard_acquire, guard);
    return sm_guard_acquire(guard, SM_CALLER());
}

SM_EXPORT void __cxa_guard_release(uint64_t *guard)
{
    if (sm_self())
        sm_guard_release(guard, SM_CALLER());
    else
        SM_REAL(__cxa_guard_release)(guard);
}

SM_EXPORT void __cxa_guard_abort(uint64_t *guard)
{
    if (sm_self())
        sm_guard_abort(guard, SM_CALLER());
    else
        SM_REAL(__cxa_guard_abort)(guard);
}
