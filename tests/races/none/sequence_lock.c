// no race
/* A sequence lock over atomic data. */
#include "../race.h"
#include <stdatomic.h>

atomic_int data;
atomic_uint version;

static void *a(void *unused)
{
    unsigned seen = atomic_load_explicit(&version, memory_order_acquire);
    USE(atomic_load_explicit(&data, memory_order_relaxed));
    USE(seen);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    atomic_store_explicit(&version, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&version, 2, memory_order_release);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
