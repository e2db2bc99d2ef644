/*
 * The twin of read_once.c: the flag publishes the double.
 *
 * hunt: nothing
 * options: --heuristic oldest-but-different --no-prescient
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static double ratio;
static atomic_int done;

static void *prepare(void *arg)
{
    ratio = 1.5;
    atomic_store_explicit(&done, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, prepare, NULL);
    if (atomic_load_explicit(&done, memory_order_acquire))
        assert(ratio == 1.5);
    pthread_join(thread, NULL);
    return 0;
}
