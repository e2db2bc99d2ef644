/*
 * Both threads store the same value, and nobody depends on when.
 *
 * fix: atomic_store_explicit(&seen, 1, memory_order_relaxed)
 * nothing to hide: relaxed is right
 */
#include "pair.h"

static int seen;

static void *visit(void *arg)
{
    seen = 1;
    return arg;
}

int main(void)
{
    run_pair(visit, visit);
    assert(seen == 1);
    return 0;
}
