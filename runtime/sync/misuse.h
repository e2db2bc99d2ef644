/*
 * misuse.h - operations that POSIX leaves undefined, under control.
 *
 * The rules are those of core/objects/misuse.h. The holder of a lock is found in the locks taken
 * by each thread (struct sm_thread), which both engines update with their events. The functions of
 * sync.h call these before their operation; on an error they do not return, except for warnings.
 */
#ifndef SM_RUNTIME_SYNC_MISUSE_H
#define SM_RUNTIME_SYNC_MISUSE_H

#include "core/objects/misuse.h"
#include "runtime/thread.h"

/* Where `lock` was taken, and by which thread; NULL: not held. The calling thread is checked first.
 */
const struct sm_taken *sm_taken_find(uintptr_t lock, const struct sm_thread **holder);

/* The calling thread has taken the lock with this mark (or NULL). */
void sm_note_locked(uint64_t *mark);

void sm_check_lock(pthread_mutex_t *mutex, bool for_ever);
void sm_check_unlock(pthread_mutex_t *mutex);
void sm_check_destroy(pthread_mutex_t *mutex);
void sm_check_init(pthread_mutex_t *mutex);

void sm_check_rwlock(pthread_rwlock_t *lock, bool writes, bool for_ever);
void sm_check_rwlock_unlock(pthread_rwlock_t *lock);
void sm_check_rwlock_destroy(pthread_rwlock_t *lock);

void sm_check_spin(pthread_spinlock_t *lock, bool for_ever);
void sm_check_spin_unlock(pthread_spinlock_t *lock);
void sm_check_spin_destroy(pthread_spinlock_t *lock);

void sm_check_cond(pthread_cond_t *cond);
void sm_check_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);
/* The running thread begins to wait, and `other` waits with another mutex. */
void sm_misused_by_waiting(uintptr_t cond, const struct sm_thread *other);
void sm_check_cond_destroy(pthread_cond_t *cond);

/* `arrived`: how many threads wait there. */
void sm_check_barrier(pthread_barrier_t *barrier, uint32_t needed);
void sm_check_barrier_init(pthread_barrier_t *barrier, uint64_t arrived);
void sm_check_barrier_destroy(pthread_barrier_t *barrier, uint64_t arrived);

void sm_check_sem(sem_t *sem);
void sm_check_sem_destroy(sem_t *sem);

void sm_check_join(const struct sm_thread *thread);
void sm_check_detach(const struct sm_thread *thread);
/* The calling thread ends. It no longer owns the robust mutexes that it held. */
void sm_check_end(void);

#endif
