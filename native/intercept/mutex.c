/*
 * mutex.c - mutexes, spin locks, reader-writer locks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "core/libc/real.h"
#include "native/sync.h"

/* A mutex that was got: also from a dead owner. */
static int locked(void *mutex, int result)
{
    if (result == 0 || result == EOWNERDEAD) {
        sm_lock_taken(mutex);
        sm_acquire_held(mutex);
    }
    return result;
}

static void unlocking(void *mutex)
{
    sm_lock_given_up(mutex);
    sm_release_held(mutex);
}

SM_EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return locked(mutex, SM_REAL(pthread_mutex_lock)(mutex));
}

SM_EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    return locked(mutex, SM_REAL(pthread_mutex_trylock)(mutex));
}

SM_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    return locked(mutex, SM_REAL(pthread_mutex_timedlock)(mutex, until));
}

SM_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                      const struct timespec *until)
{
    return locked(mutex, SM_REAL(pthread_mutex_clocklock)(mutex, clock, until));
}

SM_EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    unlocking(mutex);
    return SM_REAL(pthread_mutex_unlock)(mutex);
}

SM_EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    sm_forget(mutex);
    return SM_REAL(pthread_mutex_destroy)(mutex);
}

SM_EXPORT int pthread_spin_lock(pthread_spinlock_t *spin)
{
    return locked((void *)spin, SM_REAL(pthread_spin_lock)(spin));
}

SM_EXPORT int pthread_spin_trylock(pthread_spinlock_t *spin)
{
    return locked((void *)spin, SM_REAL(pthread_spin_trylock)(spin));
}

SM_EXPORT int pthread_spin_unlock(pthread_spinlock_t *spin)
{
    unlocking((void *)spin);
    return SM_REAL(pthread_spin_unlock)(spin);
}

SM_EXPORT int pthread_spin_destroy(pthread_spinlock_t *spin)
{
    sm_forget_part((void *)spin);
    return SM_REAL(pthread_spin_destroy)(spin);
}

/* threads.h: libc calls its own pthread functions, not these. */

SM_EXPORT int mtx_lock(mtx_t *mutex)
{
    int result = SM_REAL(mtx_lock)(mutex);
    locked(mutex, result == thrd_success ? 0 : EINVAL);
    return result;
}

SM_EXPORT int mtx_trylock(mtx_t *mutex)
{
    int result = SM_REAL(mtx_trylock)(mutex);
    locked(mutex, result == thrd_success ? 0 : EINVAL);
    return result;
}

SM_EXPORT int mtx_timedlock(mtx_t *mutex, const struct timespec *until)
{
    int result = SM_REAL(mtx_timedlock)(mutex, until);
    locked(mutex, result == thrd_success ? 0 : EINVAL);
    return result;
}

SM_EXPORT int mtx_unlock(mtx_t *mutex)
{
    unlocking(mutex);
    return SM_REAL(mtx_unlock)(mutex);
}

SM_EXPORT void mtx_destroy(mtx_t *mutex)
{
    sm_forget(mutex);
    SM_REAL(mtx_destroy)(mutex);
}

/* ---- reader-writer locks: readers take what writers gave; writers take from both ---- */

static int read_locked(pthread_rwlock_t *lock, int result)
{
    if (result == 0) {
        sm_lock_taken(lock);
        sm_acquire_held(lock);
    }
    return result;
}

static int write_locked(pthread_rwlock_t *lock, int result)
{
    if (result == 0) {
        sm_lock_taken(lock);
        sm_acquire_held(lock);
        sm_acquire(lock, SM_KEY_READERS);
    }
    return result;
}

SM_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    return read_locked(lock, SM_REAL(pthread_rwlock_rdlock)(lock));
}

SM_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    return read_locked(lock, SM_REAL(pthread_rwlock_tryrdlock)(lock));
}

SM_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until)
{
    return read_locked(lock, SM_REAL(pthread_rwlock_timedrdlock)(lock, until));
}

SM_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                                         const struct timespec *until)
{
    return read_locked(lock, SM_REAL(pthread_rwlock_clockrdlock)(lock, clock, until));
}

SM_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    return write_locked(lock, SM_REAL(pthread_rwlock_wrlock)(lock));
}

SM_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    return write_locked(lock, SM_REAL(pthread_rwlock_trywrlock)(lock));
}

SM_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until)
{
    return write_locked(lock, SM_REAL(pthread_rwlock_timedwrlock)(lock, until));
}

SM_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                                         const struct timespec *until)
{
    return write_locked(lock, SM_REAL(pthread_rwlock_clockwrlock)(lock, clock, until));
}

/* Which side unlocks? The lock itself knows: it has a writer exactly when this thread is it. */
SM_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    sm_lock_given_up(lock);
    sm_release(lock, lock->__data.__cur_writer ? SM_KEY_MAIN : SM_KEY_READERS);
    return SM_REAL(pthread_rwlock_unlock)(lock);
}

SM_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
    sm_forget(lock);
    return SM_REAL(pthread_rwlock_destroy)(lock);
}
