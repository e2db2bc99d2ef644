/* An element of an array, written by two threads through functions that are inlined. */
#include "turn.h"

unsigned table[16];

static inline void put(unsigned key, unsigned value)
{
    table[key % 16] = value;
}

static inline void put_twice(unsigned key)
{
    put(key, key);
    put(key + 1, key);
}

static void *fill(void *unused)
{
    put_twice(5);
    done();
    return unused;
}

static void *refill(void *unused)
{
    after();
    put(6, 60);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, fill, NULL);
    pthread_create(&threads[1], NULL, refill, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
