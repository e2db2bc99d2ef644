// race: data
/* What a thread does after its release store is not published by its relaxed one. */
#include "../race.h"
#include <stdatomic.h>

static long data;
static atomic_int x;

static void *a(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_release);
    data = 1;
    done(0);
    after(1);
    atomic_store_explicit(&x, 3, memory_order_relaxed);
    done(2);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    done(1);
    after(2);
    if (atomic_load_explicit(&x, memory_order_acquire) == 3)
        USE(data);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
