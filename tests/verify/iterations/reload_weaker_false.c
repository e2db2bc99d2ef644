// violation: fails the assertion
// models: c11
// The first load acquires, the failed exchange does not: an execution in which the exchange failed
// is not one in which the load has read the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, ready;
static int got, seen;

static void *send(void *unused)
{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

static void *receive(void *unused)
{
    int old = atomic_load_explicit(&ready, memory_order_acquire);
    while (!atomic_compare_exchange_strong_explicit(&ready, &old, old + 2, memory_order_relaxed,
                                                    memory_order_relaxed))
        continue;
    seen = old;
    got = atomic_load_explicit(&data, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, send, NULL);
    pthread_create(&two, NULL, receive, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(seen == 0 || got == 1);
    return 0;
}
