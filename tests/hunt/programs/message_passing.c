/*
 * Message passing without any order: the data, then the flag.
 *
 * hunt: data destructive pso
 * hunt: ready destructive hb
 * says: 1 more finding, likely with the same cause
 *
 * Stores in order and loads in order make it right, so x86 runs it well. No stale flag does
 * harm; one that is seen before it is set does.
 */
#include <assert.h>
#include <pthread.h>

static int data, ready;

static void *produce(void *arg)
{
    data = 42;
    ready = 1;
    return arg;
}

static void *consume(void *arg)
{
    if (ready)
        assert(data == 42);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, produce, NULL);
    pthread_create(&threads[1], NULL, consume, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
