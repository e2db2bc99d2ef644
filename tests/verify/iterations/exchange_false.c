// violation: livelock
// models: sc tso pso c11 hb oota
// The lock is never released: the loop makes the same iteration for ever.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int held;

static void *pass(void *unused)
{
    while (atomic_exchange_explicit(&held, 1, memory_order_acquire))
        continue;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, pass, NULL);
    pthread_create(&two, NULL, pass, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
