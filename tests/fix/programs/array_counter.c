/*
 * One element of an array counts.
 *
 * fix: atomic_fetch_add_explicit(&counts[1], 1, memory_order_relaxed)
 * hides
 */
#include "pair.h"

static int counts[2];

static void *work(void *arg)
{
    counts[1]++;
    return arg;
}

int main(void)
{
    run_pair(work, work);
    assert(counts[1] == 2);
    return 0;
}
