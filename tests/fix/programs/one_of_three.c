/*
 * One of three variables of a declaration counts.
 *
 * fix: atomic_fetch_add_explicit(&count, 1, memory_order_relaxed)
 * fix: static int first, last;
 * fix: static _Atomic int count;
 * hides
 */
#include "pair.h"

static int first, count, last;

static void *work(void *arg)
{
    count++;
    return arg;
}

int main(void)
{
    run_pair(work, work);
    assert(count + first + last == 2);
    return 0;
}
