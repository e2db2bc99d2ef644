/*
 * The same with ++ before it.
 *
 * fix: atomic_fetch_add_explicit(&count, 1, memory_order_relaxed)
 * hides
 */
#include "pair.h"

static int count;

static void *work(void *arg)
{
    ++count;
    return arg;
}

int main(void)
{
    run_pair(work, work);
    assert(count == 2);
    return 0;
}
