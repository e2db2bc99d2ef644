/*
 * A text is copied, and an atomic flag says that it is there: nothing may be reordered past it.
 *
 * hunt: nothing
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static char code[4];
static atomic_int ready;

static void *put(void *unused)
{
    strcpy(code, "EUR");
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

static void *get(void *unused)
{
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(strcmp(code, "EUR") == 0);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, put, NULL);
    pthread_create(&threads[1], NULL, get, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
