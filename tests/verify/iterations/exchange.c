// executions: 2
// models: sc tso pso c11 hb oota
// An exchange that fails leaves the lock as it was: the loop has no end of executions otherwise.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int held;
static int count;

static void *pass(void *unused)
{
    while (atomic_exchange_explicit(&held, 1, memory_order_acquire))
        continue;
    count++;
    atomic_store_explicit(&held, 0, memory_order_release);
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
