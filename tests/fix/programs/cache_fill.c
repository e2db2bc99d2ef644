/*
 * A slot of a cache is filled on demand: one lock over looking and filling.
 *
 * fix: = PTHREAD_MUTEX_INITIALIZER;
 * fix: pthread_mutex_lock(&
 * hides
 */
#include <assert.h>
#include <pthread.h>

static int valid, value, fills;

static int lookup(void)
{
    if (!valid) {
        fills++;
        value = 42;
        valid = 1;
    }
    return value;
}

static void *reader(void *arg)
{
    assert(lookup() == 42);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(fills == 1);
    return 0;
}
