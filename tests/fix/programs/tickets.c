/*
 * Each thread takes a number of its own.
 *
 * fix: atomic_fetch_add_explicit(&next, 1, memory_order_relaxed)
 * hides
 */
#include "pair.h"

static int next;
static int taken[2];

static void *first(void *arg)
{
    taken[0] = next++;
    return arg;
}

static void *second(void *arg)
{
    taken[1] = next++;
    return arg;
}

int main(void)
{
    run_pair(first, second);
    assert(taken[0] != taken[1]);
    return 0;
}
