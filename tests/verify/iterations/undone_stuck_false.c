// violation: livelock
// models: sc tso pso c11
// The share is never given back: two threads take and give back another one for ever.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left = 1;

static void *pass(void *unused)
{
    while (atomic_fetch_sub_explicit(&left, 1, memory_order_acquire) <= 0)
        atomic_fetch_add_explicit(&left, 1, memory_order_relaxed);
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
