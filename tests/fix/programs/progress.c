/*
 * A number for display only.
 *
 * fix: atomic_store_explicit(&percent, 100, memory_order_relaxed)
 * nothing to hide: relaxed is right
 */
#include "pair.h"

static int percent;

static void *work(void *arg)
{
    percent = 50;
    percent = 100;
    return arg;
}

static void *show(void *arg)
{
    int seen = percent;
    assert(seen == 0 || seen == 50 || seen == 100);
    return arg;
}

int main(void)
{
    run_pair(work, show);
    return 0;
}
