/* CLH lock with time-outs (Scott): a thread that gives up says in its node who was before it, and
   the one behind it waits for that one instead. One thread looks LOOKS times at most. Weakened:
   unlocking is no release. */
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

/* before: NULL while it waits or holds the lock, `gone` when it was unlocked, else the node to
   wait for instead. */
static struct node {
    struct node *_Atomic before;
} nodes[N], gone, start = {&gone};
static struct node *_Atomic tail = &start;
static int count;

static struct node *look(struct node *node)
{
    return atomic_load_explicit(&node->before, memory_order_acquire);
}

/* looks: 0 is no limit. */
static int lock(struct node *mine, int looks)
{
    atomic_store_explicit(&mine->before, NULL, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    do {
        struct node *next = look(before);
        if (next == &gone)
            return 1;
        if (next)
            before = next;
    } while (!looks || --looks);
    struct node *last = mine;
    if (!atomic_compare_exchange_strong_explicit(&tail, &last, before, memory_order_acq_rel,
                                                 memory_order_relaxed))
        atomic_store_explicit(&mine->before, before, memory_order_release);
    return 0;
}

static void unlock(struct node *mine)
{
    atomic_store_explicit(&mine->before, &gone, ORDER(memory_order_release));
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
