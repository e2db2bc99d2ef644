/* Threads that never go on: a signal that came before the wait (lost-wakeup), a loop that waits for
   what nobody stores any more (livelock), and what is neither (deadlock). */
#include "harm.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int ready, gate, gone;
static int items;

/* ---- lost wake-ups ---- */

static void *wait_untested(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *signal_locked(void *unused)
{
    pthread_mutex_lock(&mutex);
    items = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    return unused;
}

CASE(no_condition_is_tested, lost - wakeup)
{
    start(wait_untested);
    start(signal_locked);
    join_all();
}

static void *wait_tested_outside(void *unused)
{
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&cond, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *set_and_broadcast(void *unused)
{
    atomic_store(&ready, 1);
    pthread_mutex_lock(&mutex);
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    return unused;
}

CASE(tested_outside_of_lock, lost - wakeup)
{
    start(wait_tested_outside);
    start(set_and_broadcast);
    join_all();
}

static void *wait_tested(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!atomic_load(&ready))
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *signal_unlocked(void *unused)
{
    atomic_store(&ready, 1);
    pthread_cond_signal(&cond);
    return unused;
}

CASE(signalled_between_test_and_wait, lost - wakeup)
{
    start(wait_tested);
    start(signal_unlocked);
    join_all();
}

static void *set_locked_and_signal(void *unused)
{
    pthread_mutex_lock(&mutex);
    atomic_store(&ready, 1);
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&cond);
    return unused;
}

CASE(signalled_after_unlock, none)
{
    start(wait_tested);
    start(set_locked_and_signal);
    join_all();
}

static void *wait_for_one(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (items < 1)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

CASE(tested_under_lock, none)
{
    start(wait_for_one);
    start(signal_locked);
    join_all();
}

/* ---- deadlocks that are none of these ---- */

static void *wait_for_two(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (items < 2)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

CASE(one_item_for_two, deadlock)
{
    start(wait_for_two);
    start(signal_locked);
    join_all();
}

CASE(nobody_signals, deadlock)
{
    start(wait_for_one);
    join_all();
}

static void *lock_ab(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *lock_ba(void *unused)
{
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&second);
    return unused;
}

CASE(two_orders, deadlock + lock - order)
{
    start(lock_ab);
    start(lock_ba);
    join_all();
}

/* ---- livelocks ---- */

static void *await_ready(void *unused)
{
    while (!atomic_load(&ready))
        ;
    return unused;
}

static void *set_ready_if_first(void *unused)
{
    if (!atomic_load(&gone))
        atomic_store(&ready, 1);
    return unused;
}

static void *go(void *unused)
{
    atomic_store(&gone, 1);
    return unused;
}

CASE(store_on_one_path_only, livelock)
{
    start(await_ready);
    start(set_ready_if_first);
    start(go);
    join_all();
}

static void *set_ready(void *unused)
{
    atomic_store(&ready, 1);
    return unused;
}

CASE(store_on_every_path, none)
{
    start(await_ready);
    start(set_ready);
    join_all();
}

/* A lock of one's own, taken twice in two orders. */
static atomic_int left, right;

static void spin_lock(atomic_int *lock)
{
    int expected = 0;
    while (!atomic_compare_exchange_strong(lock, &expected, 1))
        expected = 0;
}

static void *take_left_right(void *unused)
{
    spin_lock(&left);
    spin_lock(&right);
    atomic_store(&right, 0);
    atomic_store(&left, 0);
    return unused;
}

static void *take_right_left(void *unused)
{
    spin_lock(&right);
    spin_lock(&left);
    atomic_store(&left, 0);
    atomic_store(&right, 0);
    return unused;
}

CASE(own_locks_in_two_orders, livelock)
{
    start(take_left_right);
    start(take_right_left);
    join_all();
}

CASE(own_locks_in_one_order, none)
{
    start(take_left_right);
    start(take_left_right);
    join_all();
}

/* The store needs the lock that the thread in the loop holds. */
static void *await_locked(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!atomic_load(&gate))
        ;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *open_locked(void *unused)
{
    pthread_mutex_lock(&mutex);
    atomic_store(&gate, 1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

CASE(waits_with_the_lock, livelock)
{
    start(await_locked);
    start(open_locked);
    join_all();
}
