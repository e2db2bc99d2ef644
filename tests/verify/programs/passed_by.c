/*
 * A thread waits for a flag that may be raised and lowered again: it may miss the moment, and then
 * waits for ever. With -DSTAYS the flag is not lowered.
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *wave(void *unused)
{
    atomic_store(&flag, 1);
#ifndef STAYS
    atomic_store(&flag, 0);
#endif
    return unused;
}

static void *wait(void *unused)
{
    while (!atomic_load(&flag))
        continue;
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, wave, NULL);
    pthread_create(&threads[1], NULL, wait, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
