/* BROKEN: the addition is a load and a store. */
#include "tally.h"

#include <stdatomic.h>

static atomic_int total;

void tally_reset(void)
{
    atomic_store(&total, 0);
}

int tally_add(int amount)
{
#ifdef BROKEN
    int sum = atomic_load(&total) + amount;
    atomic_store(&total, sum);
    return sum;
#else
    return atomic_fetch_add(&total, amount) + amount;
#endif
}

int tally_total(void)
{
    return atomic_load(&total);
}
