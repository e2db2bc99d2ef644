// violation: assertion
// models: sc c11
// The same, but each iteration counts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go;
static int waited;

static void *wait(void *unused)
{
    while (!atomic_load(&go) && waited < 3)
        waited++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    atomic_store(&go, 1);
    pthread_join(thread, NULL);
    assert(waited < 3);
    return 0;
}
