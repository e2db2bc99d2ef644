/*
 * A library that its first call initialises: tested and set under a lock, else acquire and release.
 *
 * fix: = PTHREAD_MUTEX_INITIALIZER;
 * fix: pthread_mutex_lock(&
 * fix: memory_order_release
 * fix: memory_order_acquire
 * hides
 */
#include "pair.h"

static int ready, table, times;

static void init(void)
{
    if (ready)
        return;
    times++;
    table = 42;
    ready = 1;
}

static int lookup(void)
{
    if (!ready)
        init();
    return table;
}

static void *work(void *arg)
{
    assert(lookup() == 42);
    return arg;
}

int main(void)
{
    run_pair(work, work);
    assert(times == 1);
    return 0;
}
