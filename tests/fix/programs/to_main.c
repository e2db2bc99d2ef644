/*
 * The worker publishes to main.
 *
 * fix: atomic_store_explicit(&done, 1, memory_order_release)
 * fix: atomic_load_explicit(&done, memory_order_acquire)
 * not: _Atomic int data
 * hides
 */
#include "pair.h"

static int data;
static int done;

static void *producer(void *arg)
{
    data = 42;
    done = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    if (done)
        assert(data == 42);
    pthread_join(thread, NULL);
    return 0;
}
