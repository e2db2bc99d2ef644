/* Figure 8: racy initialisation revisited. The reader looks ten times. */
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
    for (int i = 0; i < 10; i++)
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
