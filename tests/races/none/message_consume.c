// no race
/* Message passing by release and consume, which is acquire. */
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
    while (!atomic_load_explicit(&ready, memory_order_consume))
        ;
    USE(data);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
