/*
 * An element is written, then the count that says so.
 *
 * fix: atomic_store_explicit(&count, 1, memory_order_release)
 * fix: atomic_load_explicit(&count, memory_order_acquire)
 * not: _Atomic int items
 * hides
 */
#include "pair.h"

static int items[4];
static int count;

static void *append(void *arg)
{
    items[0] = 3;
    count = 1;
    return arg;
}

static void *sum(void *arg)
{
    int total = 0, n = count;
    for (int i = 0; i < n; i++)
        total += items[i];
    assert(total == 3 * n);
    return arg;
}

int main(void)
{
    run_pair(append, sum);
    return 0;
}
