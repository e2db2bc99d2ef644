/*
 * timed_lock.h - a lock with time-outs under test: each of N threads once through a section that
 * must be its own, but for the second one, which looks LOOKS times at most and may give up. The
 * program defines struct node, lock and unlock; compiled with -DWEAK, ORDER makes one memory order
 * relaxed.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifdef WEAK
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) order
#endif
#ifndef N
#define N 3
#endif
#ifndef LOOKS
#define LOOKS 1
#endif

struct node;
static struct node *node_of(intptr_t self);
static int lock(struct node *mine, int looks); /* looks: 0 is no limit */
static void unlock(struct node *mine);
static int count;

static void *pass(void *number)
{
    intptr_t self = (intptr_t)number;
    if (!lock(node_of(self), self == 1 ? LOOKS : 0))
        return NULL;
    count++;
    unlock(node_of(self));
    return (void *)1;
}

int main(void)
{
    pthread_t threads[N];
    intptr_t passed = 0;
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, pass, (void *)i);
    for (int i = 0; i < N; i++) {
        void *result;
        pthread_join(threads[i], &result);
        passed += (intptr_t)result;
    }
    assert(count == passed && passed >= N - 1);
    return 0;
}
