/* Locks that are taken in different orders. Threads run one after the other, by flags that order
   nothing (relaxed), so that the deadlock which they could end in does not happen. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "cases.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER, gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER, s = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int turn, published;
static sem_t posted;

static void await(int whose)
{
    while (atomic_load_explicit(&turn, memory_order_relaxed) != whose)
        sched_yield();
}

static void pass_on(void)
{
    int now = atomic_load_explicit(&turn, memory_order_relaxed);
    atomic_store_explicit(&turn, now + 1, memory_order_relaxed);
}

static void nest(pthread_mutex_t *outer, pthread_mutex_t *inner)
{
    pthread_mutex_lock(outer);
    pthread_mutex_lock(inner);
    pthread_mutex_unlock(inner);
    pthread_mutex_unlock(outer);
}

static void *first_ab(void *arg)
{
    nest(&a, &b);
    pass_on();
    return arg;
}

static void *then_ba(void *arg)
{
    await(1);
    nest(&b, &a);
    pass_on();
    return arg;
}

static void *then_bc(void *arg)
{
    await(1);
    nest(&b, &c);
    pass_on();
    return arg;
}

static void *then_ca(void *arg)
{
    await(2);
    nest(&c, &a);
    return arg;
}

static void inverted(void)
{
    run_two(first_ab, then_ba);
}

/* Here nothing keeps them apart: some schedule ends in the deadlock. */
static void *at_once_ab(void *arg)
{
    nest(&a, &b);
    return arg;
}

static void *at_once_ba(void *arg)
{
    nest(&b, &a);
    return arg;
}

static void unforced(void)
{
    run_two(at_once_ab, at_once_ba);
}

static void three(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, first_ab, NULL);
    pthread_create(&t[1], NULL, then_bc, NULL);
    pthread_create(&t[2], NULL, then_ca, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
}

static void *then_ab_again(void *arg)
{
    await(1);
    nest(&a, &b);
    return arg;
}

static void same_order(void)
{
    run_two(first_ab, then_ab_again);
}

/* ---- gates ---- */

static void *gated_ab(void *arg)
{
    pthread_mutex_lock(&gate);
    first_ab(arg);
    pthread_mutex_unlock(&gate);
    return arg;
}

static void *gated_ba(void *arg)
{
    await(1);
    pthread_mutex_lock(&gate);
    nest(&b, &a);
    pthread_mutex_unlock(&gate);
    return arg;
}

static void gated(void)
{
    run_two(gated_ab, gated_ba);
}

static void gated_by_one(void)
{
    run_two(gated_ab, then_ba);
}

/* ---- one thread ---- */

static void one_thread(void)
{
    nest(&a, &b);
    nest(&b, &a);
}

static void *both_orders(void *arg)
{
    one_thread();
    return arg;
}

static void one_after_the_other(void)
{
    run_one(both_orders);
    run_one(both_orders);
}

/* ---- ordered otherwise ---- */

static void before_creation(void)
{
    nest(&a, &b);
    run_one(at_once_ba);
    nest(&a, &b);
}

static void *publish_ab(void *arg)
{
    nest(&a, &b);
    atomic_store_explicit(&published, 1, memory_order_release);
    return arg;
}

static void *see_ba(void *arg)
{
    while (!atomic_load_explicit(&published, memory_order_acquire))
        sched_yield();
    nest(&b, &a);
    return arg;
}

static void ordered_by_atomic(void)
{
    run_two(publish_ab, see_ba);
}

static void *post_ab(void *arg)
{
    nest(&a, &b);
    sem_post(&posted);
    return arg;
}

static void *wait_ba(void *arg)
{
    sem_wait(&posted);
    nest(&b, &a);
    return arg;
}

static void ordered_by_semaphore(void)
{
    sem_init(&posted, 0, 0);
    run_two(post_ab, wait_ba);
}

/* Once before the threads are made, and once while they run: the second counts. */
static void *main_again(void *arg)
{
    await(1);
    nest(&b, &a);
    return arg;
}

static void again_after_creation(void)
{
    pthread_t t;
    nest(&a, &b);
    pthread_create(&t, NULL, main_again, NULL);
    nest(&a, &b);
    pass_on();
    pthread_join(t, NULL);
}

/* ---- readers ---- */

static void *read_r_lock_a(void *arg)
{
    pthread_rwlock_rdlock(&r);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_rwlock_unlock(&r);
    pass_on();
    return arg;
}

static void *lock_a_write_r(void *arg)
{
    await(1);
    pthread_mutex_lock(&a);
    pthread_rwlock_wrlock(&r);
    pthread_rwlock_unlock(&r);
    pthread_mutex_unlock(&a);
    return arg;
}

static void *lock_a_read_r(void *arg)
{
    await(1);
    pthread_mutex_lock(&a);
    pthread_rwlock_rdlock(&r);
    pthread_rwlock_unlock(&r);
    pthread_mutex_unlock(&a);
    return arg;
}

static void reader_and_writer(void)
{
    run_two(read_r_lock_a, lock_a_write_r);
}

static void two_readers(void)
{
    run_two(read_r_lock_a, lock_a_read_r);
}

static void *read_rs(void *arg)
{
    pthread_rwlock_rdlock(&r);
    pthread_rwlock_rdlock(&s);
    pthread_rwlock_unlock(&s);
    pthread_rwlock_unlock(&r);
    pass_on();
    return arg;
}

static void *read_sr(void *arg)
{
    await(1);
    pthread_rwlock_rdlock(&s);
    pthread_rwlock_rdlock(&r);
    pthread_rwlock_unlock(&r);
    pthread_rwlock_unlock(&s);
    return arg;
}

static void readers_only(void)
{
    run_two(read_rs, read_sr);
}

/* ---- locks that are tried ---- */

static void *lock_a_try_b(void *arg)
{
    pthread_mutex_lock(&a);
    if (pthread_mutex_trylock(&b) == 0)
        pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pass_on();
    return arg;
}

static void tried(void)
{
    run_two(lock_a_try_b, then_ba);
}

static void *try_a_lock_b(void *arg)
{
    if (pthread_mutex_trylock(&a) == 0) {
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
    }
    pass_on();
    return arg;
}

static void tried_first(void)
{
    run_two(try_a_lock_b, then_ba);
}

/* ---- other locks in the same memory ---- */

static void *new_lock_under_a(void *arg)
{
    pthread_mutex_t *mutex = calloc(1, sizeof *mutex);
    nest(&a, mutex);
    free(mutex);
    pass_on();
    return arg;
}

static void *a_under_new_lock(void *arg)
{
    await(1);
    pthread_mutex_t *mutex = calloc(1, sizeof *mutex);
    nest(mutex, &a);
    free(mutex);
    return arg;
}

static void other_lock_there(void)
{
    run_two(new_lock_under_a, a_under_new_lock);
}

static pthread_mutex_t reused;

/* The threads are ordered by nothing, so that an inversion counts; that the initialisation races
   with the use is not the matter here. */
void AnnotateIgnoreWritesBegin(const char *file, int line);

static void *reused_under_a(void *arg)
{
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    reused = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    nest(&a, &reused);
    pthread_mutex_destroy(&reused);
    pthread_mutex_init(&reused, NULL);
    pass_on();
    return arg;
}

static void *a_under_reused(void *arg)
{
    await(1);
    nest(&reused, &a);
    return arg;
}

static void initialised_again(void)
{
    run_two(reused_under_a, a_under_reused);
}

/* ---- waits for conditions ---- */

static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

/* Takes b again under a when it is woken. */
static void *wait_under_a(void *arg)
{
    struct timespec past = {0, 0};
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_cond_timedwait(&cond, &b, &past);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pass_on();
    return arg;
}

static void waits_under_other(void)
{
    run_two(wait_under_a, then_ba);
}

static const struct test_case cases[] = {
    CASE(inverted, "lock-order", "Cn"),
    CASE(unforced, "deadlock", "h"),
    CASE(three, "lock-order", "Cn"),
    CASE(same_order, "none", "cn"),
    CASE(gated, "none", "cn"),
    CASE(gated_by_one, "lock-order", "Cn"),
    CASE(one_thread, "none", "cn"),
    CASE(one_after_the_other, "none", "cn"),
    CASE(before_creation, "none", "cn"),
    CASE(ordered_by_atomic, "none", "cn"),
    CASE(ordered_by_semaphore, "none", "cn"),
    CASE(again_after_creation, "lock-order", "Cn"),
    CASE(reader_and_writer, "lock-order", "Cn"),
    CASE(two_readers, "none", "cn"),
    CASE(readers_only, "none", "cn"),
    CASE(tried, "none", "cn"),
    CASE(tried_first, "lock-order", "Cn"),
    CASE(other_lock_there, "none", "cn"),
    CASE(initialised_again, "none", "cn"),
    CASE(waits_under_other, "lock-order", "Cn"),
};
MAIN(cases)
