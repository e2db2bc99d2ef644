// violation: fails the assertion
// models: sc tso pso c11 hb
// What a failed iteration leaves in memory that nobody else can see is an effect.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static _Thread_local int failures;

static void *add(void *unused)
{
    int old;
    do {
        old = atomic_load(&x);
    } while (!atomic_compare_exchange_strong(&x, &old, old + 1) && ++failures);
    assert(!failures);
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
