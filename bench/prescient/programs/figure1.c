/*
 * Figure 1: store buffering. Two stale values break it.
 *
 * options: --trials 40
 * hunt: x destructive tso
 * hunt: y destructive tso
 */
#include <assert.h>
#include <pthread.h>

static int x, y, r1, r2;

static void *first(void *arg)
{
    y = 1;
    r1 = x;
    return arg;
}

static void *second(void *arg)
{
    x = 1;
    r2 = y;
    return arg;
}

int main(void)
{
    static void *(*const bodies[])(void *) = {first, second};
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(r1 != 0 || r2 != 0);
    return 0;
}
