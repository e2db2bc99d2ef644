/*
 * Two threads exchange values by a slot each, and a flag for each slot.
 *
 * fix: memory_order_release
 * fix: memory_order_acquire
 * not: _Atomic int slot
 * hides
 */
#include "pair.h"

static int slot[2];
static int ready[2];

static void *left(void *arg)
{
    slot[0] = 1;
    ready[0] = 1;
    if (ready[1])
        assert(slot[1] == 2);
    return arg;
}

static void *right(void *arg)
{
    slot[1] = 2;
    ready[1] = 1;
    if (ready[0])
        assert(slot[0] == 1);
    return arg;
}

int main(void)
{
    run_pair(left, right);
    return 0;
}
