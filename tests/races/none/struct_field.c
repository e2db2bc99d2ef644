// no race
/* Two fields of a struct on the heap. */
#include "../race.h"

struct Point {
    int x, y;
} *point;

static void *a(void *unused)
{
    point->x = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    point->y = 2;
    return unused;
}

int main(void)
{
    point = calloc(1, sizeof *point);
    run(a, b);
    free(point);
    return 0;
}
