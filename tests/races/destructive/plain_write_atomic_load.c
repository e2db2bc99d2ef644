// race: x
/* A plain write and an atomic load. */
#include "../race.h"
#include <stdatomic.h>

atomic_int x;

#define PLAIN (*(int *)&x)

static void *a(void *unused)
{
    PLAIN = 1;
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
