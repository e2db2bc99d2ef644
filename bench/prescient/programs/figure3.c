/*
 * Figure 3: as figure 2, but whether x is stored depends on what was read: the value that
 * would break it is not stored if it is foreseen.
 *
 * options: --trials 40 --prescient --together
 * hunt: x benign
 * hunt: y benign
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
    if (r2 == 0)
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
