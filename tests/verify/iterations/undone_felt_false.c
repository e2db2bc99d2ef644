// violation: assert
// models: sc tso pso c11
// The share that is given back again makes another thread fail that would not have failed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left = 1, failed;

static void *pass(void *unused)
{
    while (atomic_fetch_sub(&left, 2) <= 1)
        atomic_fetch_add(&left, 2);
    assert(!atomic_load(&failed));
    return unused;
}

static void *try(void *unused)
{
    if (atomic_fetch_sub(&left, 1) <= 0)
        atomic_store(&failed, 1);
    atomic_fetch_add(&left, 2);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, try, NULL);
    pthread_create(&two, NULL, pass, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
