/*
 * Two variables in the same eight bytes have two modification orders: the second store to value may
 * come before the first, although its thread has seen what was stored to ready after that.
 *
 * hunt: pair.value destructive pso
 * options: --model c11
 */
#include <assert.h>
#include <pthread.h>

static struct {
    _Alignas(8) int ready;
    int value;
} pair;

static int seen;

static void *first(void *arg)
{
    pair.value = 1;
    __atomic_store_n(&pair.ready, 1, __ATOMIC_RELAXED);
    return arg;
}

static void *second(void *arg)
{
    seen = __atomic_load_n(&pair.ready, __ATOMIC_RELAXED);
    pair.value = 2;
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(!(seen == 1 && pair.value == 1));
    return 0;
}
