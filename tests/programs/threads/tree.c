// Threads that create threads, five levels deep.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int nodes;

static void *grow(void *arg)
{
    long depth = (long)arg;
    pthread_t left, right;

    atomic_fetch_add(&nodes, 1);
    if (depth == 0)
        return (void *)1;
    void *a, *b;
    pthread_create(&left, NULL, grow, (void *)(depth - 1));
    pthread_create(&right, NULL, grow, (void *)(depth - 1));
    pthread_join(left, &a);
    pthread_join(right, &b);
    return (void *)((long)a + (long)b);
}

int main(void)
{
    assert(grow((void *)5) == (void *)32 && nodes == 63);
    return 0;
}
