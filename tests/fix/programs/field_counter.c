/*
 * A field counts.
 *
 * fix: atomic_fetch_add_explicit(&stats.hits, 1, memory_order_relaxed)
 * fix: _Atomic int hits;
 * hides
 */
#include "pair.h"

static struct stats {
    int hits;
    int misses;
} stats;

static void *work(void *arg)
{
    stats.hits++;
    return arg;
}

int main(void)
{
    run_pair(work, work);
    assert(stats.hits == 2);
    return 0;
}
