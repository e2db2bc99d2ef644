/*
 * Figure 5: a stale value may keep the loop waiting; a value from the future breaks the
 * assertion.
 *
 * options: --trials 40
 * hunt: x destructive oota
 * hunt: y destructive hb
 * says: not certified
 */
#include <assert.h>
#include <pthread.h>

static int x, y, r;

static void *first(void *arg)
{
    r = x;
    y = 1;
    return arg;
}

static void *second(void *arg)
{
    while (y == 0)
        continue;
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
    assert(r == 0);
    return 0;
}
