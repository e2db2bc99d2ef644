/*
 * The twin of published_table.c: one thread makes the table, and publishes it by a release store.
 *
 * hunt: nothing
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int built;
static int count;
static char table[2][4];

static void *make(void *name)
{
    count = 1;
    strcpy(table[0], name);
    strcpy(table[1], "GBP");
    atomic_store_explicit(&built, 1, memory_order_release);
    return NULL;
}

static void *look_up(void *name)
{
    if (atomic_load_explicit(&built, memory_order_acquire))
        assert(count == 1 && strcmp(table[0], name) == 0);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    char name[] = "EUR";
    pthread_create(&threads[0], NULL, make, name);
    pthread_create(&threads[1], NULL, look_up, name);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
