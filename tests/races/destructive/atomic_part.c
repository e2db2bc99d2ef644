// race: x.all
/* An atomic word and a plain byte of it. */
#include "../race.h"
#include <stdatomic.h>

union {
    atomic_long all;
    char bytes[8];
} x;

static void *a(void *unused)
{
    atomic_store_explicit(&x.all, 1, memory_order_relaxed);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    x.bytes[5] = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
