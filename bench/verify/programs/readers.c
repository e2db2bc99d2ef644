/* One thread writes, N read. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 16
#endif
static atomic_int x;

static void *write_it(void *unused)
{
    (void)unused;
    atomic_store(&x, 42);
    return NULL;
}

static void *read_it(void *unused)
{
    (void)unused;
    (void)atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t threads[N + 1];
    pthread_create(&threads[0], NULL, write_it, NULL);
    for (int i = 1; i <= N; i++)
        pthread_create(&threads[i], NULL, read_it, NULL);
    for (int i = 0; i <= N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
