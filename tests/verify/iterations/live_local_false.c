// violation: fails the assertion
// models: sc tso pso c11
// A local says whether an iteration has failed: the next one begins in another state.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *add(void *unused)
{
    int old, failed = 0;
    for (;;) {
        old = atomic_load(&x);
        if (atomic_compare_exchange_strong(&x, &old, old + 1))
            break;
        failed = 1;
    }
    assert(!failed);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
