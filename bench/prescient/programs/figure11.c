/*
 * Figure 11: the value is foreseen because the first thread stored it, and then it is the third
 * that stores it.
 *
 * options: --trials 40
 * hunt: x destructive oota
 * says: not certified
 */
#include <assert.h>
#include <pthread.h>

static int x, y, z, r1, r2, r3;

static void *first(void *arg)
{
    r1 = z;
    if (r1 == 1)
        x = 1;
    return arg;
}

static void *second(void *arg)
{
    r2 = x;
    if (r2 == 1)
        y = 1;
    else
        z = 1;
    return arg;
}

static void *third(void *arg)
{
    r3 = y;
    if (r3 == 1)
        x = 1;
    return arg;
}

int main(void)
{
    static void *(*const bodies[])(void *) = {first, second, third};
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(r3 == 0);
    return 0;
}
