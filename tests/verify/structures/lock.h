/*
 * lock.h - a lock under test: each of N threads once through a section that must be its own. The
 * program defines lock and unlock; compiled with -DWEAK, ORDER makes one memory order relaxed.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef WEAK
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) order
#endif
#ifndef N
#define N 3
#endif

static int count;
static void lock(int self);
static void unlock(int self);

static void *pass(void *arg)
{
    int self = (int)(intptr_t)arg;
    lock(self);
    count++;
    unlock(self);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, pass, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(count == N);
    return 0;
}
