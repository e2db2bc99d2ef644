/*
 * The flags are atomic, but too weak.
 *
 * fix: memory_order_seq_cst
 * nothing to hide: no race
 */
#include <stdatomic.h>

#include "pair.h"

static atomic_int x, y;
static int saw_x, saw_y;

static void *first(void *arg)
{
    atomic_store_explicit(&x, 1, memory_order_release);
    saw_y = atomic_load_explicit(&y, memory_order_acquire);
    return arg;
}

static void *second(void *arg)
{
    atomic_store_explicit(&y, 1, memory_order_release);
    saw_x = atomic_load_explicit(&x, memory_order_acquire);
    return arg;
}

int main(void)
{
    run_pair(first, second);
    assert(saw_x || saw_y);
    return 0;
}
