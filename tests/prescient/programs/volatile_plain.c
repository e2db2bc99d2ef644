/*
 * The twin of volatile.c: as plain variables they are seen before they are stored.
 *
 * options: --trials 40 --volatile plain
 * hunt: x destructive hb
 * hunt: y destructive hb
 */
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int r1, r2;

static void *first(void *arg)
{
    r1 = x;
    y = 1;
    return arg;
}

static void *second(void *arg)
{
    r2 = y;
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(r1 == 0 || r2 == 0);
    return 0;
}
