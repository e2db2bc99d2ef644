/* N threads in a ring, each stores its own variable and loads its neighbour's (store buffering):
   2^N executions, one less under sc. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 15
#endif
static atomic_int x[N];

static void *step(void *arg)
{
    int i = (int)(intptr_t)arg;
    atomic_store_explicit(&x[i], 1, memory_order_relaxed);
    (void)atomic_load_explicit(&x[(i + 1) % N], memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, step, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
