/*
 * jbb: a company whose state others look at without a lock.
 *
 * At its end the company notes its elapsed time (64 bits) and changes its mode. The
 * transaction manager wakes whoever waits for the company if it finds it in RAMP_DOWN; with
 * a stale mode nobody is woken. The report is made from the elapsed time. `finished` orders
 * these steps in time and, being relaxed, in nothing else.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#include "scale.h"

enum { RECORDING = 1, RAMP_DOWN = 2, TRANSACTIONS = SCALED(10, 200000000) };
struct Company {
    long elapsed_time;
    int mode;
};
static struct Company company = {0, RECORDING};
static atomic_int finished;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stopped = PTHREAD_COND_INITIALIZER;
static int woken;
static long sold;

static long make_transactions(void)
{
    unsigned long stock = 1;

    for (int i = 0; i < TRANSACTIONS; i++)
        stock ^= (stock << 7) ^ (stock >> 9);
    return (long)(stock & 1);
}

static void *run_company(void *arg)
{
    sold = make_transactions();
    company.elapsed_time = 5l << 32 | 250;
    company.mode = RAMP_DOWN;
    atomic_store_explicit(&finished, 1, memory_order_relaxed);
    return arg;
}

static void *transaction_manager(void *arg)
{
    while (!atomic_load_explicit(&finished, memory_order_relaxed))
        sched_yield();
    if (company.mode == RAMP_DOWN) {
        pthread_mutex_lock(&lock);
        woken = 1;
        pthread_cond_signal(&stopped);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    long time;

    pthread_create(&threads[0], NULL, run_company, NULL);
    pthread_create(&threads[1], NULL, transaction_manager, NULL);
    pthread_mutex_lock(&lock);
    while (!woken)
        pthread_cond_wait(&stopped, &lock);
    pthread_mutex_unlock(&lock);
    time = company.elapsed_time;
    printf("elapsed %ld s %ld ms\n", time >> 32, time & 0xffffffff);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return sold < 0;
}
