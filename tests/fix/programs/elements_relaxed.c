/*
 * Peterson with atomics that are too weak, and are elements of an array.
 *
 * fix: atomic_store_explicit(&wants[me], 1, memory_order_seq_cst)
 * fix: atomic_load_explicit(&wants[1 - me], memory_order_seq_cst)
 * nothing to hide: no race
 */
#include "pair.h"

#include <stdatomic.h>

static atomic_int wants[2], turn, inside, most;

static void enter(int me)
{
    atomic_store_explicit(&wants[me], 1, memory_order_release);
    atomic_store_explicit(&turn, 1 - me, memory_order_release);
    if (atomic_load_explicit(&wants[1 - me], memory_order_acquire) &&
        atomic_load_explicit(&turn, memory_order_acquire) == 1 - me)
        return;
    if (++inside > 1)
        most = 2;
    inside--;
    atomic_store_explicit(&wants[me], 0, memory_order_release);
}

static void *first(void *arg)
{
    enter(0);
    return arg;
}

static void *second(void *arg)
{
    enter(1);
    return arg;
}

int main(void)
{
    run_pair(first, second);
    assert(most < 2);
    return 0;
}
