/*
 * Counters in structs without a name; both have a field hits.
 *
 * fix: atomic_fetch_add_explicit(&pages.hits, 1, memory_order_relaxed)
 * not: _Atomic long files
 * hides
 */
#include "pair.h"

static struct {
    int sizes[4];
    long hits;
} pages;

static struct {
    long hits;
    long files;
} disk;

static void *work(void *arg)
{
    pages.hits++;
    return arg;
}

int main(void)
{
    disk.hits = 1;
    run_pair(work, work);
    assert(pages.hits == 2 && disk.hits == 1);
    return 0;
}
