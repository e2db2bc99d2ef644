/*
 * The heart of Dekker's mutual exclusion, without fences: right on paper, wrong on every x86.
 *
 * Each thread raises its flag, then looks at the other's, and enters only if that is down.
 * Under sequential consistency they cannot both enter. A processor with a store buffer
 * (--model tso) lets both loads pass the stores, and they do.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static int entered[2];

static void *enter(void *arg)
{
    int me = (int)(long)arg;

    atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
    entered[me] = !atomic_load_explicit(&wants[1 - me], memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, enter, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(!(entered[0] && entered[1]));
    return 0;
}
