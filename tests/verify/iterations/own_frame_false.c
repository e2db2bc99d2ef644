// violation: turns < 2
// models: sc tso pso c11 hb
// The other twin of frames.c: the local is one of the function that reads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

__attribute__((noinline)) static int add(int *count)
{
    return ++*count;
}

static void *waits(void *unused)
{
    int turns = 0;
    while (!atomic_load(&flag))
        if (add(&turns) > 3)
            break;
    assert(turns < 2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    atomic_store(&flag, 1);
    pthread_join(thread, NULL);
    return 0;
}
