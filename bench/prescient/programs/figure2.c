/*
 * Figure 2: load buffering. Only a value from the future breaks it.
 *
 * options: --trials 40
 * hunt: x destructive hb
 * never says: not certified
 * hunt: y destructive hb
 */
#include <assert.h>
#include <pthread.h>

static int x, y, r1, r2;

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
    static void *(*const bodies[])(void *) = {first, second};
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(r1 == 0 || r2 == 0);
    return 0;
}
