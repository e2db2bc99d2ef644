/* BROKEN: whether there is a permit is looked at before it is taken. */
#include "permits.h"

#include <stdatomic.h>
#include <stdlib.h>

struct permits {
    atomic_int n;
};

struct permits *permits_create(int n)
{
    struct permits *permits = calloc(1, sizeof *permits);
    atomic_init(&permits->n, n);
    return permits;
}

void permits_destroy(struct permits *permits)
{
    free(permits);
}

bool permits_acquire(struct permits *permits)
{
    int n = atomic_load(&permits->n);
#ifdef BROKEN
    if (n > 0)
        atomic_fetch_sub(&permits->n, 1);
#else
    while (n > 0 && !atomic_compare_exchange_strong(&permits->n, &n, n - 1))
        ;
#endif
    return n > 0;
}

void permits_release(struct permits *permits)
{
    atomic_fetch_add(&permits->n, 1);
}

int permits_available(const struct permits *permits)
{
    return atomic_load(&permits->n);
}
