// violation: fails the assertion
// models: sc tso pso c11
// The first iteration that fails lets the other thread go on; the second one fails because of that,
// and is needed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, helped;
static int got;

static void *store(void *unused)
{
    atomic_store(&x, 1);
    while (!atomic_load(&helped))
        continue;
    atomic_store(&x, 2);
    return unused;
}

static void *add(void *unused)
{
    int old = atomic_load(&x);
    while (!atomic_compare_exchange_strong(&x, &old, old + 10))
        if (!atomic_load(&helped))
            atomic_store(&helped, 1);
    got = old;
    atomic_store(&helped, 1);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, store, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(got != 2);
    return 0;
}
