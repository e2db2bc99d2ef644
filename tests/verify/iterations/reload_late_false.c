// violation: fails the assertion
// models: sc tso pso c11
// Between the load and the loop something else is read: a value that the loop has reloaded may be
// newer than what was read there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int between, got;

static void *store(void *unused)
{
    atomic_store(&y, 1);
    atomic_store(&x, 1);
    return unused;
}

static void *add(void *unused)
{
    int old = atomic_load(&x);
    between = atomic_load(&y);
    while (!atomic_compare_exchange_strong(&x, &old, old + 2))
        continue;
    got = old;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, store, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(got == 0 || between == 1);
    return 0;
}
