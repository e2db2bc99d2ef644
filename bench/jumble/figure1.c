/* Figure 1: racy initialisation. One thread sets x, the other looks at it twice. */
#include <pthread.h>
#include <stdio.h>

struct circle {
    int radius;
};
static struct circle circle = {1};
static struct circle *x;
static int drawn;

static void *init(void *arg)
{
    x = &circle;
    return arg;
}

static void *use(void *arg)
{
    if (x)
        drawn += x->radius;
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, init, NULL);
    pthread_create(&threads[1], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts("drawn");
    return 0;
}
