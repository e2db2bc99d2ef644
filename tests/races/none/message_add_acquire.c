// no race
/* An acquiring fetch-and-add that reads a release store. */
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
    while (!atomic_fetch_add_explicit(&ready, 0, memory_order_acquire))
        ;
    USE(data);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
