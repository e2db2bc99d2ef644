// violation: turns < 2
// models: sc tso pso c11
// The twin of allocated.c: a block from before the loop counts its iterations.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

__attribute__((noinline)) static int *make(int value)
{
    int *made = malloc(sizeof *made);
    *made = value;
    return made;
}

__attribute__((noinline)) static int add(int *count)
{
    return ++*count;
}

static void *waits(void *unused)
{
    int *count = make(0);
    for (int done = 0; !done;) {
        int *wanted = make(1);
        done = atomic_load(&flag) == *wanted || add(count) > 3;
        free(wanted);
    }
    int turns = *count;
    free(count);
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
