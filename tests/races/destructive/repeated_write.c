// race: x
/* The first of two writes is published, the second, on a way that does not always come, is not. */
#include "../race.h"
#include <stdatomic.h>

long x;
atomic_int ready;
volatile int twice = 1;

static void *a(void *unused)
{
    x = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    if (twice)
        x = 2;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        USE(x);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
