/*
 * A table is published before it is filled in: the unlucky order stands in the source.
 *
 * hunt: Table.size destructive sc
 * hunt: table destructive sc
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct Table {
    int size;
};
static struct Table *table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct Table *get(void)
{
    if (!table) {
        pthread_mutex_lock(&lock);
        if (!table) {
            table = calloc(1, sizeof(*table));
            table->size = 64;
        }
        pthread_mutex_unlock(&lock);
    }
    return table;
}

static void *use(void *arg)
{
    assert(get()->size == 64);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
