// executions: 24
// Threads that create threads: four increments, in any order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *increment(void *arg)
{
    int *mine = malloc(sizeof *mine);
    *mine = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    assert(*mine < 4);
    free(mine);
    return arg;
}

static void *create(void *arg)
{
    pthread_t child;
    pthread_create(&child, NULL, increment, NULL);
    increment(NULL);
    pthread_join(child, NULL);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, create, NULL);
    pthread_create(&two, NULL, create, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 4);
    return 0;
}
