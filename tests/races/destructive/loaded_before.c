// race: data
/* The location was loaded before, and a relaxed operation changes it: it publishes nothing. */
#include "../race.h"
#include <stdatomic.h>

int data;
_Alignas(8) atomic_int count;
_Alignas(8) atomic_int turn;

static void *a(void *unused)
{
    while (atomic_load_explicit(&turn, memory_order_relaxed) != 1)
        ;
    data = 1;
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    atomic_store_explicit(&turn, 2, memory_order_relaxed);
    return unused;
}

static void *b(void *unused)
{
    atomic_load_explicit(&count, memory_order_acquire);
    atomic_load_explicit(&count, memory_order_acquire);
    atomic_store_explicit(&turn, 1, memory_order_relaxed);
    while (atomic_load_explicit(&turn, memory_order_relaxed) != 2)
        ;
    if (atomic_load_explicit(&count, memory_order_acquire))
        USE(data);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
