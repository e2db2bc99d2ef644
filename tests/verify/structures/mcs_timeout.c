/* MCS lock with time-outs: a thread that gives up marks its node, and who unlocks passes marked
   nodes over. One thread looks LOOKS times at most. Weakened: handing over is no release. */
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

enum state { WAITS, OWNS, LEFT };
static struct node {
    struct node *_Atomic next;
    atomic_int state;
} nodes[N];
static struct node *_Atomic tail;
static int count;

/* looks: 0 is no limit. */
static int lock(struct node *mine, int looks)
{
    atomic_store_explicit(&mine->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&mine->state, WAITS, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    if (!before)
        return 1;
    atomic_store_explicit(&before->next, mine, memory_order_release);
    do
        if (atomic_load_explicit(&mine->state, memory_order_acquire) == OWNS)
            return 1;
    while (!looks || --looks);
    int waits = WAITS;
    return !atomic_compare_exchange_strong_explicit(&mine->state, &waits, LEFT,
                                                    memory_order_acq_rel, memory_order_acquire);
}

static struct node *await_next(struct node *node)
{
    struct node *next = atomic_load_explicit(&node->next, memory_order_acquire), *last = node;
    if (next || atomic_compare_exchange_strong_explicit(
                    &tail, &last, NULL, ORDER(memory_order_release), memory_order_relaxed))
        return next;
    while (!(next = atomic_load_explicit(&node->next, memory_order_acquire)))
        continue;
    return next;
}

static void unlock(struct node *node)
{
    while ((node = await_next(node))) {
        int waits = WAITS;
        if (atomic_compare_exchange_strong_explicit(
                &node->state, &waits, OWNS, ORDER(memory_order_acq_rel), memory_order_acquire))
            return;
    }
}

static void *pass(void *number)
{
    intptr_t self = (intptr_t)number;
    if (!lock(&nodes[self], self == 1 ? LOOKS : 0))
        return NULL;
    count++;
    unlock(&nodes[self]);
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
