/* Misuse of mutexes, and what looks like it and is allowed. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

#include "cases.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second;
static mtx_t plain;
static atomic_int turn;

static void *take_and_leave(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

static pthread_mutex_t of_type(int type)
{
    pthread_mutex_t mutex;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return mutex;
}

/* ---- double-lock ---- */

static void relock(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
}

static void *relock_in(void *arg)
{
    mtx_init(&plain, mtx_plain);
    mtx_lock(&plain);
    mtx_lock(&plain);
    return arg;
}

static void relock_mtx(void)
{
    run_one(relock_in);
}

static void relock_recursive(void)
{
    pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
}

static void relock_checked(void)
{
    pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    pthread_mutex_lock(&checked);
    if (pthread_mutex_lock(&checked) != EDEADLK)
        abort();
    pthread_mutex_unlock(&checked);
}

static void relock_tried(void)
{
    pthread_mutex_lock(&m);
    if (pthread_mutex_trylock(&m) != EBUSY)
        abort();
    struct timespec past = {0, 0};
    if (pthread_mutex_timedlock(&m, &past) != ETIMEDOUT)
        abort();
    pthread_mutex_unlock(&m);
}

/* ---- unlock-not-held ---- */

static void unlock_free(void)
{
    pthread_mutex_unlock(&m);
}

static void *unlock_twice_in(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

static void unlock_twice(void)
{
    run_one(unlock_twice_in);
}

static void unlock_checked(void)
{
    pthread_mutex_t checked = of_type(PTHREAD_MUTEX_ERRORCHECK);
    if (pthread_mutex_unlock(&checked) != EPERM)
        abort();
    pthread_mutex_t recursive = of_type(PTHREAD_MUTEX_RECURSIVE);
    if (pthread_mutex_unlock(&recursive) != EPERM)
        abort();
}

static void lock_and_unlock(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&m); /* not in the order of a stack: allowed */
    pthread_mutex_unlock(&other);
}

/* ---- unlock-by-other ---- */

static void *unlock_only(void *arg)
{
    pthread_mutex_unlock(&m);
    return arg;
}

static void unlock_others(void)
{
    pthread_mutex_lock(&m);
    run_one(unlock_only);
}

static void *lock_and_wait(void *arg)
{
    pthread_mutex_lock(&m);
    atomic_store_explicit(&turn, 1, memory_order_relaxed);
    while (atomic_load_explicit(&turn, memory_order_relaxed) != 2)
        sched_yield();
    return arg;
}

static void *unlock_for_other(void *arg)
{
    while (atomic_load_explicit(&turn, memory_order_relaxed) != 1)
        sched_yield();
    pthread_mutex_unlock(&m);
    atomic_store_explicit(&turn, 2, memory_order_relaxed);
    return arg;
}

static void unlock_handed_over(void)
{
    run_two(lock_and_wait, unlock_for_other);
}

static void two_threads(void)
{
    run_two(take_and_leave, take_and_leave);
}

/* ---- destroy-held ---- */

static void destroy_own(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_destroy(&m);
}

static void *destroy_it(void *arg)
{
    pthread_mutex_destroy(&m);
    return arg;
}

static void destroy_others(void)
{
    pthread_mutex_lock(&m);
    run_one(destroy_it);
    pthread_mutex_unlock(&m);
}

static void *count_down(void *left)
{
    pthread_mutex_lock(&m);
    int last = --*(int *)left == 0;
    pthread_mutex_unlock(&m);
    if (last) /* POSIX: it may be destroyed as soon as it is unlocked */
        pthread_mutex_destroy(&m);
    return NULL;
}

static void destroy_by_last(void)
{
    int left = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, count_down, &left);
    pthread_create(&b, NULL, count_down, &left);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

/* ---- use-destroyed ---- */

static void lock_destroyed(void)
{
    pthread_mutex_init(&second, NULL);
    pthread_mutex_destroy(&second);
    pthread_mutex_lock(&second);
}

static void destroy_twice(void)
{
    pthread_mutex_init(&second, NULL);
    pthread_mutex_destroy(&second);
    pthread_mutex_destroy(&second);
}

static void lock_garbage(void)
{
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    memset(mutex, 0x5a, sizeof *mutex);
    pthread_mutex_lock(mutex);
}

static void init_after_destroy(void)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_init(&second, NULL);
        pthread_mutex_lock(&second);
        pthread_mutex_unlock(&second);
        pthread_mutex_destroy(&second);
    }
    second = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
}

/* ---- double-init ---- */

static void init_twice(void)
{
    pthread_mutex_init(&second, NULL);
    pthread_mutex_init(&second, NULL);
}

static void init_held(void)
{
    pthread_mutex_init(&second, NULL);
    pthread_mutex_lock(&second);
    pthread_mutex_init(&second, NULL);
}

/* Memory that ends takes what was in it along, with or without a word. */
static void init_in_new_memory(void)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_t *mutex = malloc(sizeof *mutex);
        pthread_mutex_init(mutex, NULL);
        pthread_mutex_lock(mutex);
        pthread_mutex_unlock(mutex);
        free(mutex);
    }
    for (int i = 0; i < 3; i++) {
        pthread_mutex_t local;
        pthread_mutex_init(&local, NULL);
        pthread_mutex_lock(&local);
        pthread_mutex_unlock(&local);
    }
    pthread_mutex_init(&m, NULL); /* the initialiser is no call */
}

static const struct test_case cases[] = {
    CASE(relock, "double-lock", "cn hangs"),
    CASE(relock_mtx, "double-lock", "cn hangs"),
    CASE(relock_recursive, "none", "cn"),
    CASE(relock_checked, "none", "cn"),
    CASE(relock_tried, "none", "Cn"),
    CASE(unlock_free, "unlock-not-held", "cn"),
    CASE(unlock_twice, "unlock-not-held", "cn"),
    CASE(unlock_checked, "none", "cn"),
    CASE(lock_and_unlock, "none", "cn"),
    CASE(unlock_others, "unlock-by-other", "cn"),
    CASE(unlock_handed_over, "unlock-by-other", "cn"),
    CASE(two_threads, "none", "cn"),
    CASE(destroy_own, "destroy-held", "cn"),
    CASE(destroy_others, "destroy-held", "cn"),
    CASE(destroy_by_last, "none", "cn"),
    CASE(lock_destroyed, "use-destroyed", "cn"),
    CASE(destroy_twice, "use-destroyed", "cn"),
    CASE(lock_garbage, "use-destroyed", "cn"),
    CASE(init_after_destroy, "none", "cn"),
    CASE(init_twice, "double-init", "cn"),
    CASE(init_held, "double-init", "cn"),
    CASE(init_in_new_memory, "none", "cn"),
};
MAIN(cases)
