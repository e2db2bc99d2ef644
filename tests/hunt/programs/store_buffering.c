/*
 * Store buffering: each thread stores to one variable and reads the other.
 *
 * hunt: left destructive tso
 * hunt: right destructive tso
 *
 * One delayed store is enough, so lies about either variable alone break it.
 */
#include <assert.h>
#include <pthread.h>

static int left, right;
static int saw[2];

static void *from_left(void *arg)
{
    left = 1;
    saw[0] = right;
    return arg;
}

static void *from_right(void *arg)
{
    right = 1;
    saw[1] = left;
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, from_left, NULL);
    pthread_create(&threads[1], NULL, from_right, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(saw[0] || saw[1]);
    return 0;
}
