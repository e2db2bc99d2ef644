/* Calls that fail, and whether the program looks at their results. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

#include "cases.h"

static pthread_mutex_t checked, robust;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;

static void make_mutex(pthread_mutex_t *mutex, int type, int robustness)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutexattr_setrobust(&attributes, robustness);
    pthread_mutex_init(mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

static void make_checked(void)
{
    make_mutex(&checked, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
}

static void expect(int result, int number)
{
    if (result != number)
        abort();
}

/* ---- a mutex that answers with an error ---- */

static void relock(void)
{
    make_checked();
    pthread_mutex_lock(&checked);
    pthread_mutex_lock(&checked); /* EDEADLK */
    pthread_mutex_unlock(&checked);
}

static void relock_looked_at(void)
{
    make_checked();
    pthread_mutex_lock(&checked);
    if (pthread_mutex_lock(&checked) == 0)
        abort();
    pthread_mutex_unlock(&checked);
}

static void relock_kept(void)
{
    make_checked();
    pthread_mutex_lock(&checked);
    int result = pthread_mutex_lock(&checked);
    expect(result, EDEADLK);
    pthread_mutex_unlock(&checked);
}

static void *unlock_checked(void *unused)
{
    pthread_mutex_unlock(&checked); /* EPERM */
    return unused;
}

static void *unlock_checked_and_look(void *unused)
{
    expect(pthread_mutex_unlock(&checked), EPERM);
    return unused;
}

static void unlock_others(void)
{
    make_checked();
    pthread_mutex_lock(&checked);
    run_one(unlock_checked);
    pthread_mutex_unlock(&checked);
}

static void unlock_others_looked_at(void)
{
    make_checked();
    pthread_mutex_lock(&checked);
    run_one(unlock_checked_and_look);
    pthread_mutex_unlock(&checked);
}

static void wait_unlocked(void)
{
    make_checked();
    pthread_cond_wait(&cond, &checked); /* EPERM */
}

static void wait_unlocked_looked_at(void)
{
    make_checked();
    expect(pthread_cond_wait(&cond, &checked), EPERM);
}

static void destroy_held(void)
{
    make_checked();
    pthread_mutex_lock(&checked);
    pthread_mutex_destroy(&checked); /* EBUSY */
    pthread_mutex_unlock(&checked);
}

static void destroy_held_looked_at(void)
{
    make_checked();
    pthread_mutex_lock(&checked);
    while (pthread_mutex_destroy(&checked) == EBUSY)
        pthread_mutex_unlock(&checked);
}

/* ---- a robust one ---- */

static void *hold_and_end(void *unused)
{
    pthread_mutex_lock(&robust);
    return unused;
}

/* EOWNERDEAD says that it is locked. */
static void owner_dead(void)
{
    make_mutex(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
    run_one(hold_and_end);
    pthread_mutex_lock(&robust);
    expect(pthread_mutex_consistent(&robust), 0);
    pthread_mutex_unlock(&robust);
}

static void not_recoverable(void)
{
    make_mutex(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
    run_one(hold_and_end);
    expect(pthread_mutex_lock(&robust), EOWNERDEAD);
    pthread_mutex_unlock(&robust);
    pthread_mutex_lock(&robust); /* ENOTRECOVERABLE */
}

static void consistent_by_mistake(void)
{
    make_checked();
    pthread_mutex_consistent(&checked); /* EINVAL */
}

/* ---- read-write locks, barriers, semaphores, threads ---- */

static void read_while_writing(void)
{
    pthread_rwlock_wrlock(&rwlock);
    pthread_rwlock_rdlock(&rwlock); /* EDEADLK */
    pthread_rwlock_unlock(&rwlock);
}

static void read_while_writing_looked_at(void)
{
    pthread_rwlock_wrlock(&rwlock);
    expect(pthread_rwlock_rdlock(&rwlock), EDEADLK);
    pthread_rwlock_unlock(&rwlock);
}

static void barrier_of_none(void)
{
    pthread_barrier_init(&barrier, NULL, 0); /* EINVAL */
}

static void barrier_of_none_looked_at(void)
{
    expect(pthread_barrier_init(&barrier, NULL, 0), EINVAL);
}

static void post_too_many(void)
{
    sem_init(&semaphore, 0, SEM_VALUE_MAX);
    sem_post(&semaphore); /* EOVERFLOW */
}

static void post_too_many_looked_at(void)
{
    sem_init(&semaphore, 0, SEM_VALUE_MAX);
    expect(sem_post(&semaphore), -1);
    expect(errno, EOVERFLOW);
}

static void join_oneself(void)
{
    pthread_join(pthread_self(), NULL); /* EDEADLK */
}

static void join_oneself_looked_at(void)
{
    expect(pthread_join(pthread_self(), NULL), EDEADLK);
}

static void join_oneself_c11(void)
{
    thrd_join(thrd_current(), NULL);
}

static void join_oneself_c11_looked_at(void)
{
    expect(thrd_join(thrd_current(), NULL), thrd_error);
}

/* ---- what fails by contract ---- */

static void *tries(void *unused)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    const struct timespec past = {0};
    pthread_mutex_lock(&mutex);
    pthread_mutex_trylock(&mutex);
    pthread_mutex_timedlock(&mutex, &past);
    pthread_cond_timedwait(&cond, &mutex, &past);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_wrlock(&rwlock);
    pthread_rwlock_tryrdlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    sem_init(&semaphore, 0, 0);
    sem_trywait(&semaphore);
    pthread_setname_np(pthread_self(), "a name that is too long for this");
    return unused;
}

static void tried(void)
{
    run_one(tries);
}

/* The serial thread of a barrier is told so by what is no error. */
static void serial(void)
{
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_barrier_wait(&barrier);
    pthread_barrier_destroy(&barrier);
}

static const struct test_case cases[] = {
    CASE(relock, "unchecked-error", "cn"),
    CASE(relock_looked_at, "none", "cn"),
    CASE(relock_kept, "none", "cn"),
    CASE(unlock_others, "unchecked-error", "cn"),
    CASE(unlock_others_looked_at, "none", "cn"),
    CASE(wait_unlocked, "unchecked-error", "cn"),
    CASE(wait_unlocked_looked_at, "none", "cn"),
    CASE(destroy_held, "unchecked-error", "cn"),
    CASE(destroy_held_looked_at, "none", "cn"),
    CASE(owner_dead, "none", "Cn"),
    CASE(not_recoverable, "unchecked-error", "Cn"),
    CASE(consistent_by_mistake, "unchecked-error", "cn"),
    CASE(read_while_writing, "unchecked-error", "cn"),
    CASE(read_while_writing_looked_at, "none", "cn"),
    CASE(barrier_of_none, "unchecked-error", "cn"),
    CASE(barrier_of_none_looked_at, "none", "cn"),
    CASE(post_too_many, "unchecked-error", "cn"),
    CASE(post_too_many_looked_at, "none", "cn"),
    CASE(join_oneself, "unchecked-error", "cn"),
    CASE(join_oneself_looked_at, "none", "cn"),
    CASE(join_oneself_c11, "unchecked-error", "cn"),
    CASE(join_oneself_c11_looked_at, "none", "cn"),
    CASE(tried, "none", "cn"),
    CASE(serial, "none", "cn"),
};

MAIN(cases)
