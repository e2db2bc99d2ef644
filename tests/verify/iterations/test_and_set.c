// executions: 36
// count: 162
// models: c11
// Test and test-and-set by three threads: 3! orders of the lock, in each 3! reads that precede it.
#include <pthread.h>
#include <stdatomic.h>

enum { N = 3 };
static atomic_int held;
static int count;

static void *pass(void *unused)
{
    do
        while (atomic_load_explicit(&held, memory_order_relaxed))
            continue;
    while (atomic_exchange_explicit(&held, 1, memory_order_acquire));
    count++;
    atomic_store_explicit(&held, 0, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, pass, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
