/* Test and test-and-set. Weakened: unlocking is no release. */
#ifndef N
#define N 2
#endif
#include "lock.h"

static atomic_int held;

static void lock(int self)
{
    (void)self;
    do
        while (atomic_load_explicit(&held, memory_order_relaxed))
            continue;
    while (atomic_exchange_explicit(&held, 1, memory_order_acquire));
}

static void unlock(int self)
{
    (void)self;
    atomic_store_explicit(&held, 0, ORDER(memory_order_release));
}
