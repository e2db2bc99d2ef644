// executions: 2
// count: 4
// models: sc tso pso c11
// A loop that tries again hides a spurious failure: as many executions as retry_strong.c.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef EXCHANGE
#define EXCHANGE atomic_compare_exchange_weak
#endif
static atomic_int x;

static void *add(void *arg)
{
    int old = atomic_load(&x);
    while (!EXCHANGE(&x, &old, old + 1))
        continue;
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
