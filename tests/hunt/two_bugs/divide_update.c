/*
 * Two bugs that have nothing to do with each other: a divisor becomes zero between test and use;
 * two plain increments lose one.
 *
 * hunt: total destructive
 * failure: signal
 * says: SIGFPE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int total;
static atomic_int parts = 1;
static int rest;

static void *first(void *arg)
{
    total++;
    atomic_store(&parts, 0);
    return arg;
}

static void *second(void *arg)
{
    total++;
    if (atomic_load(&parts))
        rest = 10 % atomic_load(&parts); // failure
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(total == 2);
    return 0;
}
