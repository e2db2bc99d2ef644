// race: data
/* A sequence lock over plain data. */
#include "../race.h"
#include <stdatomic.h>

int data;
atomic_uint version;

static void *a(void *unused)
{
    unsigned seen = atomic_load_explicit(&version, memory_order_acquire);
    USE(data);
    USE(seen);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    atomic_store_explicit(&version, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    data = 1;
    atomic_store_explicit(&version, 2, memory_order_release);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
