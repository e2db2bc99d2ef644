/*
 * The writer orders its stores by a fence; the reader does not order its loads.
 *
 * options: --no-prescient
 * hunt: data destructive c11
 * hunt: ready proved-benign
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data, ready;

static void *produce(void *arg)
{
    data = 42;
    atomic_thread_fence(memory_order_release);
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
