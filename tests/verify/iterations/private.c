// executions: 1
// models: sc tso pso c11 hb oota
// The twin of private_false.c: the lock is free, and a loop of additions ends by itself.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int held, turns, done;

static void *pass(void *unused)
{
    while (atomic_exchange_explicit(&held, 1, memory_order_acquire))
        continue;
    while (atomic_fetch_add(&turns, 1) < 3000)
        continue;
    atomic_store(&held, 0);
    return unused;
}

static void *other(void *unused)
{
    atomic_store(&done, 1);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, pass, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
