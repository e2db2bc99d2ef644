// no race
/* The same three; the other thread has read their neighbour. */
#include "../race.h"

struct Point {
    long x, y, z, t;
} *point;

static void *a(void *unused)
{
    USE(point->t);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    point->x = 1;
    point->y = 2;
    point->z = 3;
    return unused;
}

int main(void)
{
    point = calloc(1, sizeof *point);
    run(a, b);
    free(point);
    return 0;
}
