// Recursion to 4 MiB on a default stack, to 48 MiB on one that was asked for, and in main.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static long dig(long depth)
{
    volatile char frame[4096];

    memset((char *)frame, (int)depth, sizeof(frame));
    if (depth == 0)
        return 0;
    long below = dig(depth - 1);
    assert(frame[100] == (char)depth);
    return below + 1;
}

static void *work(void *arg)
{
    return (void *)dig((long)arg);
}

int main(void)
{
    pthread_t normal, large;
    pthread_attr_t attr;
    void *result;

    pthread_attr_init(&attr);
    assert(!pthread_attr_setstacksize(&attr, 64 << 20));
    pthread_create(&normal, NULL, work, (void *)1000);
    pthread_create(&large, &attr, work, (void *)12000);
    assert(dig(1000) == 1000);
    pthread_join(normal, &result);
    assert(result == (void *)1000);
    pthread_join(large, &result);
    assert(result == (void *)12000);
    return 0;
}
