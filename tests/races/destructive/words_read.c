// race: Point.y
/* Three fields that are read together and checked together; the report names the one that the
   other thread writes. */
#include "../race.h"

struct Point {
    long x, y, z, t;
} *point;

static void *a(void *unused)
{
    long x = point->x, y = point->y, z = point->z;
    USE(x);
    USE(y);
    USE(z);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    point->y = 1;
    return unused;
}

int main(void)
{
    point = calloc(1, sizeof *point);
    run(a, b);
    free(point);
    return 0;
}
