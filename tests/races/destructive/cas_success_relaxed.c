// race: data
/* A compare-exchange that succeeds, but acquires only when it fails. */
#include "../race.h"
#include <stdatomic.h>

int data;
atomic_int ready;

static void *a(void *unused)
{
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    int expected = 1;
    atomic_compare_exchange_strong_explicit(&ready, &expected, 2, memory_order_relaxed,
                                            memory_order_acquire);
    USE(data);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
