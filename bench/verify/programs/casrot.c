/* N threads, thread i turns the value i into i + 1 by one compare-exchange. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 11
#endif
static atomic_int x;

static void *turn(void *arg)
{
    int from = (int)(intptr_t)arg;
    atomic_compare_exchange_strong_explicit(&x, &from, from + 1, memory_order_relaxed,
                                            memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, turn, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
