/*
 * sync.h - the functions of pthreads, threads.h and semaphore.h under control.
 *
 * intercept/ has the names that programs call; the implementation is here, one file per kind of
 * object, so that mtx_lock and pthread_mutex_lock share one. Every function is called by a
 * controlled thread, passes a scheduling point, does its work, emits its event, and returns 0 or
 * an errno as glibc 2.36 would; sm_sem_ functions too, and their interceptors turn that into -1
 * and errno. pc is the address of the call in the program.
 */
#ifndef SM_RUNTIME_SYNC_SYNC_H
#define SM_RUNTIME_SYNC_SYNC_H

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "runtime/sched/sched.h"

/* How long an operation may wait, and its result after that. Trying is waiting with a deadline that
   has passed. */
struct sm_limit {
    uint64_t deadline; /* virtual time */
    int error;
};
#define SM_FOREVER ((struct sm_limit){SM_NO_DEADLINE, 0})
#define SM_TRY ((struct sm_limit){0, EBUSY})
/* Until an absolute time. As in glibc, an invalid time is an error only if the call would have to
   wait. */
struct sm_limit sm_until(clockid_t clock, const struct timespec *when);
/* Timed functions with a clock argument take only these. */
static inline bool sm_clock_valid(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

static inline bool sm_limit_reached(struct sm_limit limit)
{
    return limit.error && limit.deadline <= sm_now();
}

/* Waits on a queue until woken or the limit is reached. A thread with asynchronous cancellation is
   cancelled here; for others it is not a cancellation point. */
enum sm_wake_reason sm_sync_wait(const struct sm_wait *wait, struct sm_limit limit,
                                 struct sm_event *event);

/* An object is initialised or destroyed: forgets it, and what was released to it. */
void sm_sync_renew(const void *object, void *pc);

int sm_mutex_lock(pthread_mutex_t *mutex, struct sm_limit limit, void *pc);
int sm_mutex_unlock(pthread_mutex_t *mutex, void *pc);
int sm_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes, void *pc);
int sm_mutex_destroy(pthread_mutex_t *mutex, void *pc);
int sm_mutex_consistent(pthread_mutex_t *mutex);
/* The two halves of a condition wait, without scheduling point. */
int sm_mutex_give_up(pthread_mutex_t *mutex, void *pc);
int sm_mutex_lock_again(pthread_mutex_t *mutex, void *pc);
bool sm_mutex_may_unlock(const pthread_mutex_t *mutex);
/* A thread ends: the robust mutexes it holds pass to the next thread that locks them. */
void sm_mutex_owner_ends(const struct sm_thread *thread);

int sm_rwlock_read_lock(pthread_rwlock_t *lock, struct sm_limit limit, void *pc);
int sm_rwlock_write_lock(pthread_rwlock_t *lock, struct sm_limit limit, void *pc);
int sm_rwlock_unlock(pthread_rwlock_t *lock, void *pc);
int sm_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes, void *pc);
int sm_rwlock_destroy(pthread_rwlock_t *lock, void *pc);

int sm_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, struct sm_limit limit, void *pc);
int sm_cond_signal(pthread_cond_t *cond, void *pc);
int sm_cond_broadcast(pthread_cond_t *cond, void *pc);
int sm_cond_destroy(pthread_cond_t *cond, void *pc);
/* The clock from its attributes. */
clockid_t sm_cond_clock(const pthread_cond_t *cond);

int sm_barrier_wait(pthread_barrier_t *barrier, void *pc);
int sm_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                    unsigned count, void *pc);
int sm_barrier_destroy(pthread_barrier_t *barrier, void *pc);

int sm_spin_lock(pthread_spinlock_t *lock, struct sm_limit limit, void *pc);
int sm_spin_unlock(pthread_spinlock_t *lock, void *pc);
int sm_spin_destroy(pthread_spinlock_t *lock, void *pc);

int sm_once(pthread_once_t *once, void (*routine)(void), void *pc);
/* Static locals of C++: true if the caller must initialise it; then it calls one of the others. */
bool sm_guard_acquire(uint64_t *guard, void *pc);
void sm_guard_release(uint64_t *guard, void *pc);
void sm_guard_abort(uint64_t *guard, void *pc);

int sm_sem_wait(sem_t *sem, struct sm_limit limit, void *pc);
int sm_sem_post(sem_t *sem, void *pc);
int sm_sem_getvalue(sem_t *sem, int *value);
/* It was initialised (again). */
void sm_sem_renew(sem_t *sem, void *pc);
int sm_sem_destroy(sem_t *sem, void *pc);
/* libc is about to access the semaphore itself: gives it our value. */
void sm_sem_write_back(sem_t *sem);

/* Creates a thread with these attributes (NULL: the default ones). */
int sm_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
              void *arg, void *pc);
/* A constructor creates a thread: no execution has it, as each begins after the constructors. */
void sm_created_early(void);
int sm_join(pthread_t handle, void **result, struct sm_limit limit, void *pc);
int sm_detach(pthread_t handle);

#endif
