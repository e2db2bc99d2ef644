/*
 * Message passing on ARM: the data is written, then the flag that says so.
 *
 * x86 keeps both stores, and both loads, in order, and the program works there for years. A
 * processor that reorders stores (pso) or loads (c11: ARM, POWER) shows the flag without the
 * data. The flag should be stored with release and loaded with acquire.
 */
#include <assert.h>
#include <pthread.h>

static int data;
static volatile int ready;

static void *send(void *arg)
{
    data = 42;
    ready = 1;
    return arg;
}

static void *receive(void *arg)
{
    if (ready)
        assert(data == 42);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, send, NULL);
    pthread_create(&threads[1], NULL, receive, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
