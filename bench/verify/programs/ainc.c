/* N threads, one atomic increment each. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 8
#endif
static atomic_int x;

static void *increment(void *unused)
{
    (void)unused;
    atomic_fetch_add(&x, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, increment, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return atomic_load(&x) != N;
}
