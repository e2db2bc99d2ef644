/* Ticket lock. Weakened: serving the next one is no release. */
#include "lock.h"

static atomic_int next, serving;

static void lock(int self)
{
    (void)self;
    int mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, memory_order_acquire) != mine)
        continue;
}

static void unlock(int self)
{
    (void)self;
    int now = atomic_load_explicit(&serving, memory_order_relaxed);
    atomic_store_explicit(&serving, now + 1, ORDER(memory_order_release));
}
