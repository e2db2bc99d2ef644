/*
 * Double-checked locking, broken: `instance` is published before it is filled in.
 *
 * A thread that finds `instance` set skips the lock, and may meet an object whose `size`
 * is still 0. Here the stores stand in the unlucky order in the source, so interleaving
 * alone shows it; with the stores swapped it takes a memory model that reorders them.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct table {
    int rows, columns, size;
};
static struct table *instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct table *get_table(void)
{
    if (!instance) {
        pthread_mutex_lock(&lock);
        if (!instance) {
            instance = calloc(1, sizeof(*instance));
            instance->rows = 8;
            instance->columns = 8;
            instance->size = instance->rows * instance->columns;
        }
        pthread_mutex_unlock(&lock);
    }
    return instance;
}

static void *use(void *arg)
{
    assert(get_table()->size == 64);
    return arg;
}

int main(void)
{
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, use, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
