/*
 * Two threads count down.
 *
 * fix: atomic_fetch_sub_explicit(&count, 1, memory_order_relaxed)
 * hides
 */
#include "pair.h"

static long count = 2;

static void *work(void *arg)
{
    count--;
    return arg;
}

int main(void)
{
    run_pair(work, work);
    assert(count == 0);
    return 0;
}
