// no race
/* A loop writes two fields of each element; another thread reads what lies behind the last. */
#include "../race.h"

struct point {
    long x, y, weight[4];
};

struct point points[50];

static void *a(void *unused)
{
    for (int i = 0; i < 50; i++) {
        points[i].x = i;
        points[i].y = i + 1;
    }
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(points[49].weight[0]);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
