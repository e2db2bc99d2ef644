/*
 * A flag that publishes nothing: relaxed will do.
 *
 * fix: atomic_store_explicit(&stop, 1, memory_order_relaxed)
 * fix: atomic_load_explicit(&stop, memory_order_relaxed)
 * nothing to hide: relaxed is right
 */
#include "pair.h"

static int stop;
static int rounds;

static void *work(void *arg)
{
    for (int i = 0; i < 2 && !stop; i++)
        rounds++;
    return arg;
}

static void *end(void *arg)
{
    stop = 1;
    return arg;
}

int main(void)
{
    run_pair(work, end);
    assert(rounds <= 2);
    return 0;
}
