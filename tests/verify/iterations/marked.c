// executions: 2
// models: sc c11
// That it had to wait is marked in each iteration: the second one stores what is there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int go;
static bool waited;

static void *wait(void *unused)
{
    while (!atomic_load(&go))
        waited = true;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    atomic_store(&go, 1);
    pthread_join(thread, NULL);
    assert(waited == true || waited == false);
    return 0;
}
