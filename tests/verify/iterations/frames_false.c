// violation: turns < 2
// models: sc tso pso c11
// The twin of frames.c: the local is one of the caller of the loop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int held;

__attribute__((noinline)) static int take(int *turns)
{
    ++*turns;
    return !atomic_exchange(&held, 1) || *turns > 3;
}

__attribute__((noinline)) static void lock(int *turns)
{
    while (!take(turns))
        continue;
}

static void *pass(void *unused)
{
    int turns = 0;
    lock(&turns);
    assert(turns < 2);
    atomic_store(&held, 0);
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
