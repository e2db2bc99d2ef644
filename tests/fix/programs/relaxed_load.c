/*
 * The store releases, the load does not acquire.
 *
 * fix: atomic_load_explicit(&ready, memory_order_acquire)
 * hides
 */
#include <stdatomic.h>

#include "pair.h"

static int data;
static atomic_int ready;

static void *send(void *arg)
{
    data = 7;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

static void *receive(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        assert(data == 7);
    return arg;
}

int main(void)
{
    run_pair(send, receive);
    return 0;
}
