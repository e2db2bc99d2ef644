/*
 * A clock that only goes forward, read twice.
 *
 * hunt: ticks destructive hb
 *
 * Every machine keeps two loads of one location in order. The language does not: a
 * compiler may take the second value from an earlier load.
 */
#include <assert.h>
#include <pthread.h>

static int ticks;

static void *tick(void *arg)
{
    for (int i = 0; i < 3; i++)
        ticks = i + 1;
    return arg;
}

static void *measure(void *arg)
{
    int start = ticks, end = ticks;
    assert(end >= start);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, tick, NULL);
    pthread_create(&threads[1], NULL, measure, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
