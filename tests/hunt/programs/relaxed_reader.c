/*
 * Published with a release store, read with a relaxed load: half of the protocol.
 *
 * hunt: Config.limit destructive c11
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct Config {
    int limit;
};
static _Atomic(struct Config *) config;

static void *publish(void *arg)
{
    struct Config *new = calloc(1, sizeof(*new));
    new->limit = 10;
    atomic_store_explicit(&config, new, memory_order_release);
    return arg;
}

static void *use(void *arg)
{
    struct Config *now = atomic_load_explicit(&config, memory_order_relaxed);
    if (now)
        assert(now->limit == 10);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, publish, NULL);
    pthread_create(&threads[1], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
