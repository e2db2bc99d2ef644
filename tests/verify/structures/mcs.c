/* MCS lock: each thread waits on a node of its own. Weakened: handing over is no release. */
#include "lock.h"

static struct node {
    struct node *_Atomic next;
    atomic_int waits;
} nodes[N];
static struct node *_Atomic tail;

static void lock(int self)
{
    struct node *mine = &nodes[self];
    atomic_store_explicit(&mine->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&mine->waits, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    if (!before)
        return;
    atomic_store_explicit(&before->next, mine, memory_order_release);
    while (atomic_load_explicit(&mine->waits, memory_order_acquire))
        continue;
}

static void unlock(int self)
{
    struct node *mine = &nodes[self];
    struct node *next = atomic_load_explicit(&mine->next, memory_order_acquire);
    if (!next) {
        struct node *expected = mine;
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_release,
                                                    memory_order_relaxed))
            return;
        while (!(next = atomic_load_explicit(&mine->next, memory_order_acquire)))
            continue;
    }
    atomic_store_explicit(&next->waits, 0, ORDER(memory_order_release));
}
