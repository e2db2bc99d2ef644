/*
 * Figure 7: 42 out of thin air. No execution stores it, so none foresees it.
 *
 * options: --trials 40 --prescient
 * hunt: x benign
 * hunt: y benign
 */
#include <assert.h>
#include <pthread.h>

static int x, y, r1, r2;

static void *first(void *arg)
{
    r1 = x;
    y = r1;
    return arg;
}

static void *second(void *arg)
{
    r2 = y;
    x = r2;
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
    assert(r1 != 42);
    return 0;
}
