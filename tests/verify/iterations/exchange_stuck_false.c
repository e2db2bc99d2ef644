// violation: livelock
// models: sc tso pso c11 hb oota
// The lock is never released: two threads exchange 1 for 1 for ever.
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
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, pass, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
