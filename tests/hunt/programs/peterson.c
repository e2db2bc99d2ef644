/*
 * Peterson's lock on plain variables.
 *
 * hunt: interested[] destructive pso
 * hunt: counter destructive pso
 *
 * The counter needs the lock. A delayed `interested` lets both in, but it must be delayed past
 * the store to `turn`, which a processor that keeps stores in order does not do.
 */
#include <assert.h>
#include <pthread.h>

static int interested[2], turn, counter;

static void *count(void *arg)
{
    int me = (int)(long)arg, other = 1 - me;

    for (int i = 0; i < 2; i++) {
        interested[me] = 1;
        turn = other;
        while (interested[other] && turn == other)
            ;
        counter = counter + 1;
        interested[me] = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, count, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 4);
    return 0;
}
