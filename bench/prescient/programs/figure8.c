/*
 * Figure 8: the value from the future is stored in either branch; compilers that merge
 * the two reads of y do make this happen.
 *
 * options: --trials 40
 * hunt: x destructive hb
 * never says: not certified
 */
#include <assert.h>
#include <pthread.h>

static int x, y, r1, r2, r3;

static void *first(void *arg)
{
    r1 = x;
    y = r1;
    return arg;
}

static void *second(void *arg)
{
    r2 = y;
    if (r2 == 1) {
        r3 = y;
        x = r3;
    } else {
        x = 1;
    }
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
    assert(r2 == 0);
    return 0;
}
