// A loop that touches nothing we watch still gives way: the other thread must get its turn.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;

static void *spin(void *arg)
{
    unsigned long n = 1;

    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        for (int i = 0; i < 100; i++)
            n = n * 6364136223846793005UL + 1;
    *(unsigned long *)arg = n;
    return NULL;
}

static unsigned long compute(void)
{
    unsigned long n = 7;

    for (int i = 0; i < 200000; i++)
        n ^= n << 13, n ^= n >> 7, n ^= n << 17;
    return n;
}

int main(void)
{
    pthread_t thread;
    unsigned long result = 0;

    pthread_create(&thread, NULL, spin, &result);
    assert(compute() != 0);
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
    assert(result != 0);
    return 0;
}
