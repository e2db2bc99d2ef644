/*
 * The first read must see what is stored last, the second what was there at first: neither
 * stale values nor those from the future do that alone. Only oota allows it with lies about x
 * alone: the storing thread, running alone from the first read on, waits for `go` for ever, so
 * its last store has no certificate.
 *
 * options: --trials 100 --prescient --variable x
 * hunt: x destructive oota
 * says: x showed 2 from the future
 * says: reads x = 0
 */
#include <assert.h>
#include <pthread.h>

static int x, ready, go;
static int a, b;

static void *load(void *arg)
{
    while (!ready)
        continue;
    a = x;
    go = 1;
    b = x;
    return arg;
}

static void *store(void *arg)
{
    x = 1;
    ready = 1;
    while (!go)
        continue;
    x = 2;
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, load, NULL);
    pthread_create(&threads[1], NULL, store, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(!(a == 2 && b == 0));
    return 0;
}
