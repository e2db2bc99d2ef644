// no race
/* An atomic half and the plain other half. */
#include "../race.h"
#include <stdatomic.h>

struct {
    atomic_int one;
    int two;
} x;

static void *a(void *unused)
{
    atomic_store_explicit(&x.one, 1, memory_order_relaxed);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    x.two = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
