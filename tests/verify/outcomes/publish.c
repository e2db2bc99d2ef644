// hb: 00 03 40 43 none
// past: 00 03 40 43 none
// An object may be seen before it is filled.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct point {
    int x, y;
};

static struct point *shared;

static void *publish(void *unused)
{
    struct point *point = calloc(1, sizeof *point);
    point->x = 4;
    point->y = 3;
    shared = point;
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, publish, NULL);
    const struct point *point = shared;
    if (point)
        printf("%d%d\n", point->x, point->y);
    else
        puts("none");
    pthread_join(one, NULL);
    return 0;
}
