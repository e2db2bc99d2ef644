/* Misuse of read-write locks, spin locks, condition variables, barriers, semaphores and threads,
   and what looks like it and is allowed. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "cases.h"

static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t sem;
static atomic_int turn;

/* Until a thread waits: natively libc's bytes say so, under control time passes only then. */
static void await_word(const volatile void *object, unsigned word)
{
#ifdef NATIVE
    while (!((const volatile unsigned *)object)[word])
        sched_yield();
#else
    (void)object, (void)word;
    usleep(100000);
#endif
}

/* ---- read-write locks ---- */

static void upgrade(void)
{
    pthread_rwlock_rdlock(&r);
    pthread_rwlock_wrlock(&r);
}

static void *upgrade_in(void *arg)
{
    upgrade();
    return arg;
}

static void upgrade_in_thread(void)
{
    run_one(upgrade_in);
}

static void upgrade_tried(void)
{
    pthread_rwlock_rdlock(&r);
    if (pthread_rwlock_trywrlock(&r) != EBUSY)
        abort();
    pthread_rwlock_unlock(&r);
    pthread_rwlock_wrlock(&r);
    pthread_rwlock_unlock(&r);
}

static void read_twice(void)
{
    pthread_rwlock_rdlock(&r);
    pthread_rwlock_rdlock(&r);
    pthread_rwlock_unlock(&r);
    pthread_rwlock_unlock(&r);
}

static void rwlock_unlock_free(void)
{
    pthread_rwlock_unlock(&r);
}

static void rwlock_unlock_twice(void)
{
    pthread_rwlock_wrlock(&r);
    pthread_rwlock_unlock(&r);
    pthread_rwlock_unlock(&r);
}

static void *rwlock_unlock_in(void *arg)
{
    pthread_rwlock_unlock(&r);
    return arg;
}

static void rwlock_unlock_others(void)
{
    pthread_rwlock_wrlock(&r);
    run_one(rwlock_unlock_in);
}

static void rwlock_destroy_held(void)
{
    pthread_rwlock_rdlock(&r);
    pthread_rwlock_destroy(&r);
}

static void rwlock_destroyed(void)
{
    pthread_rwlock_destroy(&r);
    pthread_rwlock_rdlock(&r);
}

static void rwlock_lives(void)
{
    pthread_rwlock_t local;
    for (int i = 0; i < 3; i++) {
        pthread_rwlock_init(&local, NULL);
        pthread_rwlock_wrlock(&local);
        pthread_rwlock_unlock(&local);
        pthread_rwlock_destroy(&local);
    }
    local = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&local);
    pthread_rwlock_unlock(&local);
}

/* ---- spin locks ---- */

static void spin_relock(void)
{
    pthread_spin_init(&spin, 0);
    pthread_spin_lock(&spin);
    pthread_spin_lock(&spin);
}

static void spin_unlock_free(void)
{
    pthread_spin_init(&spin, 0);
    pthread_spin_unlock(&spin);
}

static void spin_destroy_held(void)
{
    pthread_spin_init(&spin, 0);
    pthread_spin_lock(&spin);
    pthread_spin_destroy(&spin);
}

static void spin_lives(void)
{
    for (int i = 0; i < 3; i++) {
        pthread_spin_init(&spin, 0);
        pthread_spin_lock(&spin);
        if (pthread_spin_trylock(&spin) != EBUSY)
            abort();
        pthread_spin_unlock(&spin);
        pthread_spin_destroy(&spin);
    }
}

/* ---- condition variables ---- */

static void *signal_cond(void *arg)
{
    pthread_mutex_lock(&m);
    atomic_store(&turn, 1);
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&m);
    return arg;
}

static void wait_unlocked(void)
{
    struct timespec past = {0, 0};
    pthread_cond_timedwait(&cond, &m, &past);
}

static void *hold_m(void *arg)
{
    struct timespec past = {0, 0};
    pthread_cond_timedwait(&cond, &m, &past);
    return arg;
}

static void wait_others(void)
{
    pthread_mutex_lock(&m);
    run_one(hold_m);
    pthread_mutex_unlock(&m);
}

static void wait_checked(void)
{
    struct timespec past = {0, 0};
    pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    if (pthread_cond_timedwait(&cond, &checked, &past) != EPERM)
        abort();
}

static void *wait_with_m(void *arg)
{
    pthread_mutex_lock(&m);
    atomic_store_explicit(&turn, 1, memory_order_relaxed);
    pthread_cond_wait(&cond, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

/* By then the other waits: it gave m up. */
static void await_waiter(void)
{
    while (!atomic_load_explicit(&turn, memory_order_relaxed))
        sched_yield();
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}

static void wait_with_two(void)
{
    pthread_t t;
    struct timespec past = {0, 0};
    pthread_create(&t, NULL, wait_with_m, NULL);
    await_waiter();
    pthread_mutex_lock(&n);
    pthread_cond_timedwait(&cond, &n, &past);
    pthread_mutex_unlock(&n);
    pthread_cond_signal(&cond);
    pthread_join(t, NULL);
}

static void *wait_shortly_with(void *mutex)
{
    struct timespec past = {0, 0};
    pthread_mutex_lock(mutex);
    pthread_cond_timedwait(&cond, mutex, &past);
    pthread_mutex_unlock(mutex);
    return NULL;
}

static void wait_shortly_with_both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_t t;
    pthread_create(&t, NULL, wait_shortly_with, first);
    wait_shortly_with(second);
    pthread_join(t, NULL);
}

/* In some schedules at the same time. */
static void wait_shortly_with_two(void)
{
    wait_shortly_with_both(&m, &n);
}

static void wait_shortly_with_one(void)
{
    wait_shortly_with_both(&m, &m);
}

static void wait_with_each(void)
{
    struct timespec past = {0, 0};
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&cond, &m, &past);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&n);
    pthread_cond_timedwait(&cond, &n, &past);
    pthread_mutex_unlock(&n);
}

static void cond_destroy_awaited(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait_with_m, NULL);
    pthread_detach(t);
    await_waiter();
    pthread_cond_destroy(&cond);
}

static void cond_destroyed(void)
{
    pthread_cond_destroy(&cond);
    pthread_cond_signal(&cond);
}

static void cond_destroyed_waits(void)
{
    cnd_t local;
    mtx_t mutex;
    cnd_init(&local);
    mtx_init(&mutex, mtx_plain);
    cnd_destroy(&local);
    cnd_broadcast(&local);
}

static void *wait_for_turn(void *arg)
{
    pthread_mutex_lock(&m);
    while (!turn)
        pthread_cond_wait(&cond, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

/* POSIX: once all are woken it may be destroyed, before they have run. */
static void cond_destroy_woken(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait_for_turn, NULL);
    pthread_mutex_lock(&m);
    atomic_store(&turn, 1);
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    pthread_cond_destroy(&cond);
    pthread_cond_init(&cond, NULL);
    run_two(wait_for_turn, signal_cond);
}

/* ---- barriers ---- */

static void *at_barrier(void *arg)
{
    atomic_store_explicit(&turn, 1, memory_order_relaxed);
    pthread_barrier_wait(&barrier);
    return arg;
}

static void barrier_renewed(void)
{
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, at_barrier, NULL);
    await_word(&barrier, 0);
    pthread_barrier_init(&barrier, NULL, 2);
}

/* In some schedules the other thread has come again by then. */
static void *at_barrier_twice(void *arg)
{
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return arg;
}

static void barrier_renewed_between(void)
{
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, at_barrier_twice, NULL);
    pthread_barrier_wait(&barrier);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_barrier_wait(&barrier);
    pthread_join(t, NULL);
}

/* It has left for the last time, or is about to. */
static void barrier_renewed_after(void)
{
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, at_barrier_twice, NULL);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_join(t, NULL);
    pthread_barrier_destroy(&barrier);
}

static void barrier_destroyed_early(void)
{
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, at_barrier, NULL);
    await_word(&barrier, 0);
    pthread_barrier_destroy(&barrier);
}

static void barrier_used_destroyed(void)
{
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_barrier_wait(&barrier);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_wait(&barrier);
}

static void barrier_never_initialised(void)
{
    static pthread_barrier_t unset;
    pthread_barrier_wait(&unset);
}

/* POSIX: the serial thread may destroy it while the others are leaving. */
static void *leave_barrier(void *arg)
{
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        pthread_barrier_destroy(&barrier);
    return arg;
}

static void barrier_lives(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_barrier_init(&barrier, NULL, 2);
        run_two(leave_barrier, leave_barrier);
    }
}

/* ---- semaphores ---- */

static void sem_destroyed(void)
{
    sem_init(&sem, 0, 1);
    sem_destroy(&sem);
    sem_post(&sem);
}

static void sem_destroyed_twice(void)
{
    sem_init(&sem, 0, 0);
    sem_destroy(&sem);
    sem_destroy(&sem);
}

static void *wait_for_post(void *arg)
{
    sem_wait(&sem);
    return arg;
}

static void sem_destroy_awaited(void)
{
    pthread_t t;
    sem_init(&sem, 0, 0);
    pthread_create(&t, NULL, wait_for_post, NULL);
    await_word(&sem, 1);
    sem_destroy(&sem);
}

static void *post(void *arg)
{
    sem_post(&sem);
    return arg;
}

static void sem_lives(void)
{
    for (int i = 0; i < 2; i++) {
        sem_init(&sem, 0, 0);
        run_two(post, wait_for_post);
        sem_destroy(&sem);
    }
}

/* ---- threads ---- */

static void *nothing(void *arg)
{
    return arg;
}

static void join_twice(void)
{
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    pthread_join(t, NULL);
    pthread_join(t, NULL);
}

static void join_detached(void)
{
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    pthread_detach(t);
    pthread_join(t, NULL);
}

static void join_and_detach(void)
{
    pthread_t t;
    for (int i = 0; i < 3; i++) {
        pthread_create(&t, NULL, nothing, NULL);
        pthread_join(t, NULL);
        pthread_create(&t, NULL, nothing, NULL);
        pthread_detach(t);
    }
}

static void *hold_and_end(void *arg)
{
    pthread_mutex_lock(&m);
    return arg;
}

static void ends_holding(void)
{
    run_one(hold_and_end);
}

static void *hold_and_exit(void *arg)
{
    pthread_mutex_lock(&n);
    pthread_exit(arg);
}

static void exits_holding(void)
{
    run_one(hold_and_exit);
}

static void unlock_m(void *arg)
{
    (void)arg;
    pthread_mutex_unlock(&m);
}

static void *hold_and_clean_up(void *arg)
{
    pthread_cleanup_push(unlock_m, NULL);
    pthread_mutex_lock(&m);
    pthread_exit(arg);
    pthread_cleanup_pop(0);
}

static void exits_clean(void)
{
    run_one(hold_and_clean_up);
}

static pthread_mutex_t robust;

static void *hold_robust(void *arg)
{
    pthread_mutex_lock(&robust);
    return arg;
}

static void exits_holding_robust(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    run_one(hold_robust);
    if (pthread_mutex_lock(&robust) != EOWNERDEAD)
        abort();
    pthread_mutex_consistent(&robust);
    pthread_mutex_unlock(&robust);
    pthread_mutex_destroy(&robust);
}

static const struct test_case cases[] = {
    CASE(upgrade, "double-lock", "cn hangs"),
    CASE(upgrade_in_thread, "double-lock", "cn hangs"),
    CASE(upgrade_tried, "none", "cn"),
    CASE(read_twice, "none", "cn"),
    CASE(rwlock_unlock_free, "unlock-not-held", "cn"),
    CASE(rwlock_unlock_twice, "unlock-not-held", "cn"),
    CASE(rwlock_unlock_others, "unlock-by-other", "cn"),
    CASE(rwlock_destroy_held, "destroy-held", "cn"),
    CASE(rwlock_destroyed, "use-destroyed", "cn"),
    CASE(rwlock_lives, "none", "cn"),
    CASE(spin_relock, "double-lock", "cn hangs"),
    CASE(spin_unlock_free, "unlock-not-held", "cn"),
    CASE(spin_destroy_held, "destroy-held", "cn"),
    CASE(spin_lives, "none", "cn"),
    CASE(wait_unlocked, "cond-misuse", "cn"),
    CASE(wait_others, "cond-misuse", "c"),
    CASE(wait_checked, "none", "cn"),
    CASE(wait_with_two, "cond-misuse", "cn"),
    CASE(wait_shortly_with_two, "cond-misuse", "v"),
    CASE(wait_shortly_with_one, "none", "cn"),
    CASE(wait_with_each, "none", "cn"),
    CASE(cond_destroy_awaited, "destroy-held", "cn hangs"),
    CASE(cond_destroyed, "use-destroyed", "cn"),
    CASE(cond_destroyed_waits, "use-destroyed", "cn"),
    CASE(cond_destroy_woken, "none", "cn"),
    CASE(barrier_renewed, "barrier-misuse", "cn hangs"),
    CASE(barrier_renewed_between, "barrier-misuse", "v"),
    CASE(barrier_renewed_after, "none", "cn"),
    CASE(barrier_destroyed_early, "barrier-misuse", "cn hangs"),
    CASE(barrier_used_destroyed, "use-destroyed", "cn hangs"),
    CASE(barrier_never_initialised, "use-destroyed", "cn hangs"),
    CASE(barrier_lives, "none", "Cn"),
    CASE(sem_destroyed, "use-destroyed", "cn"),
    CASE(sem_destroyed_twice, "use-destroyed", "cn"),
    CASE(sem_destroy_awaited, "destroy-held", "cn"),
    CASE(sem_lives, "none", "cn"),
    CASE(join_twice, "join-misuse", "cn hangs"),
    CASE(join_detached, "join-misuse", "cn hangs"),
    CASE(join_and_detach, "none", "cn"),
    CASE(ends_holding, "held-at-exit", "cn"),
    CASE(exits_holding, "held-at-exit", "cn"),
    CASE(exits_clean, "none", "cn"),
    CASE(exits_holding_robust, "none", "Cn"),
};
MAIN(cases)
