// no race
/* A ticket lock with acquire and release. */
#include "../race.h"
#include <stdatomic.h>

int x;
atomic_int next, serving;

static void locked_increment(void)
{
    int ticket = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, memory_order_acquire) != ticket)
        ;
    x++;
    atomic_fetch_add_explicit(&serving, 1, memory_order_release);
}

static void *a(void *unused)
{
    for (int i = 0; i < 100; i++)
        locked_increment();
    return unused;
}

static void *b(void *unused)
{
    for (int i = 0; i < 100; i++)
        locked_increment();
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
