/*
 * Figure 4: what was checked is read again. The thread that divides by zero is held until the
 * value it has foreseen is stored.
 *
 * options: --trials 40 --prescient --heuristic sc
 * hunt: x destructive hb
 * says: x showed 7 from the future, before
 */
#include <assert.h>
#include <pthread.h>

static int x;
static volatile int r2;

static void *first(void *arg)
{
    x = 7;
    return arg;
}

static void *second(void *arg)
{
    if (x != 0)
        r2 = 100 / x;
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
    return 0;
}
