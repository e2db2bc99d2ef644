// race: x
/* An atomic store and a plain read. */
#include <stdatomic.h>
#include "../race.h"

atomic_int x;

static int *plain(void)
{
    return (int *)&x;
}

static void *a(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(*plain());
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
