// violation: assertion
// models: sc tso pso c11
// The twin of counted.c: how often the thread has tried is looked at afterwards.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static int spin(void)
{
    int i = 0;
    for (; i < 16; i++)
        if (atomic_load(&ready))
            break;
    return i;
}

static void *wait(void *unused)
{
    assert(spin() != 3);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    atomic_store(&ready, 1);
    pthread_join(thread, NULL);
    return 0;
}
