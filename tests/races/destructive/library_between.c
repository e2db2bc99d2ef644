// race: points[].y
/* A function of the C library in a loop is no hindrance to what is checked before it. */
#include "../race.h"

struct point {
    double x, y, weight[4];
};

struct point points[50];

static void *a(void *unused)
{
    double sum = 0;
    for (int i = 0; i < 50; i++)
        sum += points[i].x * points[i].y * (double)strtol("7", NULL, 10);
    USE((long)sum);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    points[7].y = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
