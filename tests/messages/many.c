// the same stale read two thousand times
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static int data;
static atomic_int ready;
static void *writer(void *unused)
{
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}
static void *reader(void *unused)
{
    int stale = 0;
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        continue;
    for (int i = 0; i < 2000; i++)
        stale += data == 0;
    if (stale == 2000)
        abort();
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
