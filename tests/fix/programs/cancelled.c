/*
 * A volatile request to stop.
 *
 * fix: static _Atomic int cancelled;
 * fix: memory_order_relaxed
 * nothing to hide: relaxed is right
 */
#include "pair.h"

static volatile int cancelled;

static void *work(void *arg)
{
    if (cancelled)
        return NULL;
    return arg;
}

static void *cancel(void *arg)
{
    cancelled = 1;
    return arg;
}

int main(void)
{
    run_pair(work, cancel);
    return 0;
}
