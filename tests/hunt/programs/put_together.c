/*
 * A read of two bytes, each stored by a thread of its own, is put together from the newest stores:
 * that is no lie, and is not told as one. The read after it is the stale one.
 *
 * options: --no-prescient
 * hunt: pairs[].half[] destructive pso
 * says: still showed its initial 0
 * never says: put together
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union pair {
    uint8_t half[2];
    uint16_t whole;
} pairs[2];

static void *first(void *arg)
{
    pairs[1].half[0] = 1;
    pairs[0].half[0] = 1;
    return arg;
}

static void *second(void *arg)
{
    pairs[0].half[1] = 1;
    return arg;
}

static void *look(void *arg)
{
    if (pairs[0].whole == 0x101)
        assert(pairs[1].half[0] == 1);
    return arg;
}

int main(void)
{
    static void *(*const bodies[])(void *) = {first, second, look};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
