/* N threads, each one relaxed store to the same location: N! modification orders. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 8
#endif
static atomic_int x;

static void *store(void *arg)
{
    atomic_store_explicit(&x, (int)(intptr_t)arg, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, store, (void *)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
