/*
 * The same with +=.
 *
 * fix: atomic_fetch_add_explicit(&count, 5, memory_order_relaxed)
 * hides
 */
#include "pair.h"

static int count;

static void *work(void *arg)
{
    count += 5;
    return arg;
}

int main(void)
{
    run_pair(work, work);
    assert(count == 10);
    return 0;
}
