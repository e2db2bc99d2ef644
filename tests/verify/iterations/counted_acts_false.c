// violation: assertion
// models: sc tso pso c11
// A thread that has tried three times asks for help.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, helps;

static void *wait(void *unused)
{
    for (int i = 0; i < 16; i++) {
        if (atomic_load(&ready))
            break;
        if (i == 2)
            atomic_store(&helps, 1);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    int helped = atomic_load(&helps);
    atomic_store(&ready, 1);
    pthread_join(thread, NULL);
    assert(!helped || !atomic_load(&helps));
    return 0;
}
