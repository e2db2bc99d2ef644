/* CLH lock with time-outs (Scott): a thread that gives up says in its node who was before it, and
   the one behind it waits for that one instead. One thread looks LOOKS times at most. Weakened:
   unlocking is no release. */
#include "timed_lock.h"

/* before: NULL while it waits or holds the lock, `gone` when it was unlocked, else the node to
   wait for instead. */
static struct node {
    struct node *_Atomic before;
} nodes[N], gone, start = {&gone};
static struct node *_Atomic tail = &start;

static struct node *look(struct node *node)
{
    return atomic_load_explicit(&node->before, memory_order_acquire);
}

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

static struct node *node_of(intptr_t self)
{
    return &nodes[self];
}
