/*
 * One flag publishes two variables.
 *
 * fix: atomic_store_explicit(&full, 1, memory_order_release)
 * fix: atomic_load_explicit(&full, memory_order_acquire)
 * not: _Atomic int left
 * not: _Atomic int right
 * hides
 */
#include "pair.h"

static int left, right;
static int full;

static void *send(void *arg)
{
    left = 1;
    right = 2;
    full = 1;
    return arg;
}

static void *receive(void *arg)
{
    if (full)
        assert(left + right == 3);
    return arg;
}

int main(void)
{
    run_pair(send, receive);
    return 0;
}
