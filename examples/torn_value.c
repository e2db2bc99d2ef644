/*
 * Torn value: a plain 64-bit time that one thread writes and another reads.
 *
 * The compiler may move 8 bytes as two halves (on a 32-bit target it must), so the reader may
 * see the low half of one value with the high half of another: a time that never was.
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static uint64_t elapsed = 0x00000000ffffffff;

static void *tick(void *arg)
{
    elapsed = 0x0000000100000000;
    return arg;
}

static void *report(void *arg)
{
    uint64_t now = elapsed;

    assert(now == 0x00000000ffffffff || now == 0x0000000100000000);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, tick, NULL);
    pthread_create(&threads[1], NULL, report, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
