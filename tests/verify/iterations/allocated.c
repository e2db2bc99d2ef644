// executions: 1
// models: sc tso pso c11
// A block that an iteration allocates, fills and frees is gone with it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

__attribute__((noinline)) static int *make(int value)
{
    int *made = malloc(2 * sizeof *made);
    *made = value;
    return made;
}

static void *waits(void *unused)
{
    for (int done = 0; !done;) {
        int *wanted = make(1), *copy = make(1);
        done = atomic_load(&flag) == *wanted;
        free(wanted);
        free(copy);
    }
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
