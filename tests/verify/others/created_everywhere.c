// executions: 6
// Threads with default attributes, made at several places by several threads. glibc reads the
// defaults under a lock of its own, which verify once waited for without end.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int order;

static void *leaf(void *arg)
{
    atomic_fetch_add(&order, 1);
    return arg;
}

static void *left(void *arg)
{
    pthread_t thread;
    pthread_create(&thread, NULL, leaf, NULL);
    pthread_join(thread, NULL);
    return arg;
}

static void *right(void *arg)
{
    pthread_t thread;
    pthread_create(&thread, NULL, leaf, NULL);
    pthread_join(thread, NULL);
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, left, NULL);
    pthread_create(&threads[1], NULL, right, NULL);
    pthread_create(&threads[2], NULL, leaf, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
