// race: x
/* A write, a call that hands it over, and another write. */
#include "../race.h"
#include <stdatomic.h>

long x;
atomic_int ready;

__attribute__((noinline)) static void publish(void)
{
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
}

static void *a(void *unused)
{
    *(volatile long *)&x = 1;
    publish();
    *(volatile long *)&x = 2;
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
