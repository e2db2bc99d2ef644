// executions: 3
// models: sc tso pso c11
// An iteration that can fail once, and not twice: after it has seen `second` it sees `first`. The
// loop does not end by its counter.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int first, second;

static bool spin(void)
{
    for (int i = 0; i < 2; i++)
        if (atomic_load(&first) != 0 || atomic_load(&second) == 0)
            return true;
    return false;
}

static void *wait(void *unused)
{
    assert(spin());
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    atomic_store(&first, 1);
    atomic_store(&second, 1);
    pthread_join(thread, NULL);
    return 0;
}
