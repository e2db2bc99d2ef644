/*
 * Load buffering with values of 1, 2, 4 and 8 bytes.
 *
 * options: --trials 40
 * hunt: byte destructive oota
 * hunt: half destructive oota
 * hunt: word destructive oota
 * hunt: number destructive oota
 * says: number showed 0x1122334455667788 from the future
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static uint8_t byte;
static uint16_t half;
static uint32_t word;
static uint64_t number;
static int order[4];
static _Bool seen[4];

static void *load(void *arg)
{
    seen[0] = byte == 0x7f;
    __atomic_store_n(&order[0], 1, __ATOMIC_RELAXED);
    seen[1] = half == 0xabcd;
    __atomic_store_n(&order[1], 1, __ATOMIC_RELAXED);
    seen[2] = word == 0x80000001;
    __atomic_store_n(&order[2], 1, __ATOMIC_RELAXED);
    seen[3] = number == 0x1122334455667788;
    __atomic_store_n(&order[3], 1, __ATOMIC_RELAXED);
    return arg;
}

static _Bool loaded(int i)
{
    return __atomic_load_n(&order[i], __ATOMIC_RELAXED);
}

/* Stores each after it has been loaded, and nothing orders the two. */
static void *store(void *arg)
{
    while (!loaded(0))
        continue;
    byte = 0x7f;
    while (!loaded(1))
        continue;
    half = 0xabcd;
    while (!loaded(2))
        continue;
    word = 0x80000001;
    while (!loaded(3))
        continue;
    number = 0x1122334455667788;
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, load, NULL);
    pthread_create(&threads[1], NULL, store, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(!seen[0] && !seen[1] && !seen[2] && !seen[3]);
    return 0;
}
