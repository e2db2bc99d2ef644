// executions: 4
// models: tso pso
// A free does not empty the store buffer, as malloc's lists of a thread need no fence: the store
// before it may be delayed past the load after it, as in the test SB (three executions if it could
// not).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *block;
static atomic_int used, x, y, seen[2];

static void *frees(void *unused)
{
    while (!atomic_load(&used)) {
    }
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    free(block);
    seen[0] = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}

static void *uses(void *unused)
{
    *block = 7;
    atomic_store(&used, 1);
    atomic_store(&y, 1);
    seen[1] = atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    block = malloc(sizeof *block);
    pthread_create(&one, NULL, frees, NULL);
    pthread_create(&two, NULL, uses, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
