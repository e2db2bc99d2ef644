/* CLH lock: each thread waits on the node of the one before it. Weakened: unlocking is no
   release. */
#include "lock.h"

static struct node {
    atomic_int held;
} nodes[N + 1];
static struct node *_Atomic tail = &nodes[N];

static void lock(int self)
{
    struct node *mine = &nodes[self];
    atomic_store_explicit(&mine->held, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    while (atomic_load_explicit(&before->held, memory_order_acquire))
        continue;
}

static void unlock(int self)
{
    atomic_store_explicit(&nodes[self].held, 0, ORDER(memory_order_release));
}
