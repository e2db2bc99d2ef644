/*
 * Independent reads of independent writes: the readers disagree about the order of two stores. A
 * stale value of either is enough. 600 trials left one of the two benign; verify decides.
 *
 * hunt: x destructive c11
 * hunt: y destructive c11
 * says: exact
 * never says: /200
 */
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int a, b, c, d;

static void *write_x(void *arg)
{
    x = 1;
    return arg;
}

static void *write_y(void *arg)
{
    y = 1;
    return arg;
}

static void *x_first(void *arg)
{
    a = x;
    b = y;
    return arg;
}

static void *y_first(void *arg)
{
    c = y;
    d = x;
    return arg;
}

int main(void)
{
    static void *(*const bodies[])(void *) = {write_x, write_y, x_first, y_first};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(!(a && !b && c && !d));
    return 0;
}
