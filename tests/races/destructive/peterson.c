// race: x
/* Peterson's lock with relaxed accesses. */
#include "../race.h"
#include <stdatomic.h>

int x;
atomic_int wants[2], turn;

static void enter(int me)
{
    atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
    atomic_store_explicit(&turn, !me, memory_order_relaxed);
    while (atomic_load_explicit(&wants[!me], memory_order_relaxed) &&
           atomic_load_explicit(&turn, memory_order_relaxed) == !me)
        ;
}

static void leave(int me)
{
    atomic_store_explicit(&wants[me], 0, memory_order_relaxed);
}

static void *a(void *unused)
{
    enter(0);
    x++;
    leave(0);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    enter(1);
    x++;
    leave(1);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
