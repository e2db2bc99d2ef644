// race: x
/* A fetch-and-add and a plain write. */
#include "../race.h"
#include <stdatomic.h>

atomic_int x;

#define PLAIN (*(int *)&x)

static void *a(void *unused)
{
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    PLAIN = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
