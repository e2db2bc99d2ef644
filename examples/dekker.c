/*
 * Dekker's mutual exclusion without fences: right on paper, wrong on every x86.
 *
 * Each thread raises its flag, then looks at the other's. Under sequential consistency
 * they cannot both find the other's flag down. A processor with a store buffer (--model
 * tso) lets both loads pass the stores, and both threads enter.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static atomic_int inside;

static void *enter(void *arg)
{
    int me = (int)(long)arg;

    atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
    if (!atomic_load_explicit(&wants[1 - me], memory_order_relaxed)) {
        assert(atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed) == 0);
        atomic_fetch_sub_explicit(&inside, 1, memory_order_relaxed);
    }
    atomic_store_explicit(&wants[me], 0, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, enter, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
