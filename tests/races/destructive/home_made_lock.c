// race: x
/* A home-made lock with relaxed accesses. */
#include "../race.h"
#include <stdatomic.h>

int x;
atomic_flag flag = ATOMIC_FLAG_INIT;

static void *a(void *unused)
{
    while (atomic_flag_test_and_set_explicit(&flag, memory_order_relaxed))
        ;
    x++;
    atomic_flag_clear_explicit(&flag, memory_order_relaxed);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    while (atomic_flag_test_and_set_explicit(&flag, memory_order_relaxed))
        ;
    x++;
    atomic_flag_clear_explicit(&flag, memory_order_relaxed);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
