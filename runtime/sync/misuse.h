/*
 * misuse.h - operations that POSIX leaves undefined, under control.
 *
 * The rules are core/objects/misuse.h's. Who holds a lock is read from what each thread has taken
 * (struct sm_thread), which both engines keep up with their events. A function of sync.h asks
 * before its operation; none of these returns if something is wrong, but for warnings.
 */
#ifndef SM_RUNTIME_SYNC_MISUSE_H
#define SM_RUNTIME_SYNC_MISUSE_H

#include "core/objects/misuse.h"
#include "runtime/thread.h"

/* Where `lock` was taken, and by whom; NULL: nobody holds it. The calling thread comes first. */
const struct sm_taken *sm_taken_find(uintptr_t lock, const struct sm_thread **holder);

/* The calling thread has taken the lock of this mark (or NULL). */
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

/* `arrived`: how many threads wait at it. */
void sm_check_barrier(pthread_barrier_t *barrier, uint32_t needed);
void sm_check_barrier_init(pthread_barrier_t *barrier, uint64_t arrived);
void sm_check_barrier_destroy(pthread_barrier_t *barrier, uint64_t arrived);

void sm_check_sem(sem_t *sem);
void sm_check_sem_destroy(sem_t *sem);

void sm_check_join(const struct sm_thread *thread);
void sm_check_detach(const struct sm_thread *thread);
/* The calling thread ends. The robust mutexes that it held are no longer its own. */
void sm_check_end(void);

#endif
