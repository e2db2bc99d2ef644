// race: x
/* A plain read and a fetch-and-add. */
#include "../race.h"
#include <stdatomic.h>

atomic_int x;

#define PLAIN (*(int *)&x)

static void *a(void *unused)
{
    USE(PLAIN);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
