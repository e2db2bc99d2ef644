/*
 * misuse.h - misuse of synchronisation objects, found by the interceptors.
 *
 * The rules are in core/objects/misuse.h. The owner of a mutex is read from libc's own fields; the
 * holder of another lock is found by the list of locks a thread holds (history.h), if that is
 * complete. A report names the call; the operation is then performed as the program asked.
 */
#ifndef SM_NATIVE_MISUSE_H
#define SM_NATIVE_MISUSE_H

#include "base/sys.h"
#include "core/objects/misuse.h"
#include "native/epoch.h"
#include "native/paths.h"

/* ---- mutexes: the usual cases are inline ---- */

void sm_check_lock_slowly(pthread_mutex_t *mutex, bool for_ever);
void sm_check_unlock_slowly(pthread_mutex_t *mutex);

enum { SM_MUTEX_KINDS = 0x3ff }; /* other bits: not a mutex */

static inline void sm_check_lock(pthread_mutex_t *mutex, bool for_ever)
{
    const struct sm_detect_thread *thread = sm_current;
    if (SM_UNLIKELY(thread && (mutex->__data.__owner == thread->kernel_id ||
                               (mutex->__data.__kind & ~SM_MUTEX_KINDS))))
        sm_check_lock_slowly(mutex, for_ever);
}

static inline void sm_check_unlock(pthread_mutex_t *mutex)
{
    const struct sm_detect_thread *thread = sm_current;
    if (SM_UNLIKELY(thread && mutex->__data.__owner != thread->kernel_id))
        sm_check_unlock_slowly(mutex);
}

/* Will libc refuse to unlock the mutex, or to wait with it, because the running thread does not
   hold it? Then nothing is released. Only for kinds of mutexes that libc checks. */
bool sm_unlock_is_refused_slowly(const pthread_mutex_t *mutex);
static inline bool sm_unlock_is_refused(const pthread_mutex_t *mutex)
{
    const struct sm_detect_thread *thread = sm_current;
    return SM_UNLIKELY(thread && mutex->__data.__owner != thread->kernel_id) &&
           sm_unlock_is_refused_slowly(mutex);
}

void sm_check_destroy(pthread_mutex_t *mutex);
void sm_check_init(pthread_mutex_t *mutex);

/* ---- the others ---- */

void sm_check_rwlock(pthread_rwlock_t *lock, bool writes, bool for_ever);
void sm_check_rwlock_unlock(pthread_rwlock_t *lock);
void sm_check_rwlock_destroy(pthread_rwlock_t *lock);

void sm_check_spin(pthread_spinlock_t *lock);
void sm_check_spin_unlock(pthread_spinlock_t *lock);
void sm_check_spin_destroy(pthread_spinlock_t *lock);

void sm_check_cond(pthread_cond_t *cond);
void sm_check_cond_destroy(pthread_cond_t *cond);
/* A wait begins; one without time limit ends; a signal or broadcast is sent. */
void sm_check_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, bool for_ever);
void sm_wait_is_over(pthread_cond_t *cond);
void sm_wait_is_signalled(pthread_cond_t *cond);

/* `arrived`: threads waiting in the current round. */
void sm_check_barrier(pthread_barrier_t *barrier, uint32_t needed);
void sm_check_barrier_init(pthread_barrier_t *barrier, uint64_t arrived);
void sm_check_barrier_destroy(pthread_barrier_t *barrier, uint64_t arrived);

void sm_check_sem(sem_t *sem);
void sm_check_sem_destroy(sem_t *sem);

/* The thread ends. */
void sm_check_end(const struct sm_detect_thread *thread);
/* Misuse of the handle of `thread`, whose creation the report shows. */
void sm_check_handle(enum sm_misuse misuse, const struct sm_detect_thread *thread);

#endif
