/*
 * It takes lies about two of three variables to break this. The third is stored between them,
 * and a store buffer that delays the two delays it as well.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int left, middle, right;
static atomic_int ready;

static void *produce(void *arg)
{
    left = 1;
    middle = 1;
    right = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return arg;
}

static void *consume(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        int sum = left + right, seen = middle;
        assert(sum > 0 && seen >= 0);
    }
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
