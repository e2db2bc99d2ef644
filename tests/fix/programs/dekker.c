/*
 * Dekker: each raises a flag and looks at the other one.
 *
 * fix: atomic_store_explicit(&wants[me], 1, memory_order_seq_cst)
 * fix: atomic_load_explicit(&wants[1 - me], memory_order_seq_cst)
 * hides
 */
#include "pair.h"

static volatile int wants[2];
static int entered[2];

static void enter(int me)
{
    wants[me] = 1;
    entered[me] = !wants[1 - me];
}

static void *first(void *arg)
{
    enter(0);
    return arg;
}

static void *second(void *arg)
{
    enter(1);
    return arg;
}

int main(void)
{
    run_pair(first, second);
    assert(!(entered[0] && entered[1]));
    return 0;
}
