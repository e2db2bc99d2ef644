// no race
/* A release store, a release addition by another thread, then a relaxed store by the first: it
   hands on what the first had released, and only that. */
#include "../race.h"
#include <stdatomic.h>

static long first, second;
static atomic_int x;

static void *a(void *unused)
{
    first = 1;
    atomic_store_explicit(&x, 1, memory_order_release);
    done(0);
    after(1);
    atomic_store_explicit(&x, 10, memory_order_relaxed);
    done(2);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    second = 1;
    atomic_fetch_add_explicit(&x, 1, memory_order_release);
    done(1);
    after(2);
    if (atomic_load_explicit(&x, memory_order_acquire) == 10)
        USE(first + second);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
