/*
 * Two bugs that have nothing to do with each other: who comes second ends the program with another
 * status; the flag of a plain publication may be seen before its data.
 *
 * hunt: data destructive
 * failure: exit
 * says: exit status 3, expected 0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int data, ready;
static atomic_int turn;

static void *first(void *arg)
{
    data = 1;
    ready = 1;
    if (atomic_exchange(&turn, 1) == 2)
        exit(3);
    return arg;
}

static void *second(void *arg)
{
    if (ready)
        assert(data == 1);
    atomic_store(&turn, 2);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
