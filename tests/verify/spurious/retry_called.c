// executions: 2
// models: sc tso pso c11
// The pass does not see the loop around the exchange; but an iteration that fails has no effect.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int lock, x;

__attribute__((noinline)) static bool try_lock(void)
{
    int free = 0;
    return atomic_compare_exchange_weak(&lock, &free, 1);
}

static void *add(void *arg)
{
    while (!try_lock())
        continue;
    atomic_store(&x, atomic_load(&x) + 1);
    atomic_store(&lock, 0);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}
