// no race
/* The same with atomic accesses alone. */
#include "../race.h"
#include <stdatomic.h>

atomic_int x;

static void *a(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(atomic_load_explicit(&x, memory_order_relaxed));
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
