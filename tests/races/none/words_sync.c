// no race
/* The same, where the first of the two is the reader's own. */
#include "../race.h"
#include <stdatomic.h>

struct Point {
    long x, y;
} *point;
static atomic_int ready;

static void *a(void *unused)
{
    point->y = 2;
    atomic_store_explicit(&ready, 1, memory_order_release);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    long x = point->x;
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    USE(x + point->y);
    return unused;
}

int main(void)
{
    point = calloc(1, sizeof *point);
    run(a, b);
    free(point);
    return 0;
}
