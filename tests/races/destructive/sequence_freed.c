// race: data
/* A release sequence ends with the memory it is in: what was released to the block before is
   not learnt from one that takes its place. */
#include "../race.h"
#include <stdatomic.h>

int data;
_Atomic(atomic_int *) shared;

static void *a(void *unused)
{
    atomic_int *flag = malloc(sizeof *flag);
    data = 1;
    atomic_store_explicit(flag, 1, memory_order_release);
    free(flag);
    flag = malloc(sizeof *flag);
    atomic_store_explicit(flag, 2, memory_order_relaxed);
    atomic_store_explicit(&shared, flag, memory_order_relaxed);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    atomic_int *flag = atomic_load_explicit(&shared, memory_order_relaxed);
    if (atomic_load_explicit(flag, memory_order_acquire) == 2)
        USE(data);
    return unused;
}

int main(void)
{
    run(a, b);
    free(shared);
    return 0;
}
