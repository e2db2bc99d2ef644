/*
 * Two threads set bits of a word.
 *
 * fix: atomic_fetch_or_explicit(&mask, 1u, memory_order_relaxed)
 * fix: atomic_fetch_or_explicit(&mask, 2u, memory_order_relaxed)
 * hides
 */
#include "pair.h"

static unsigned mask;

static void *low(void *arg)
{
    mask |= 1u;
    return arg;
}

static void *high(void *arg)
{
    mask |= 2u;
    return arg;
}

int main(void)
{
    run_pair(low, high);
    assert(mask == 3u);
    return 0;
}
