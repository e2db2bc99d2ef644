/*
 * Store buffering with a store to memory of the thread alone in between: the store that is lied
 * about waits past it, and the private one waits behind it.
 *
 * hunt: x destructive tso
 * hunt: y destructive tso
 * hunt: rows[] proved-benign
 */
#include <assert.h>
#include <pthread.h>

static int x, y, seen_x, seen_y, rows[3];

static void *left(void *arg)
{
    x = 1;
    rows[0] = 1;
    seen_y = y;
    rows[2] = 1;
    return arg;
}

static void *right(void *arg)
{
    y = 1;
    rows[1] = 1;
    seen_x = x;
    rows[2] = 2;
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, left, NULL);
    pthread_create(&threads[1], NULL, right, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(seen_x || seen_y);
    return 0;
}
