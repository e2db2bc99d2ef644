/* MCS lock with time-outs: a thread that gives up marks its node, and who unlocks passes marked
   nodes over. One thread looks LOOKS times at most. Weakened: handing over is no release. */
#include "timed_lock.h"

enum state { WAITS, OWNS, LEFT };
static struct node {
    struct node *_Atomic next;
    atomic_int state;
} nodes[N];
static struct node *_Atomic tail;

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

static struct node *node_of(intptr_t self)
{
    return &nodes[self];
}
