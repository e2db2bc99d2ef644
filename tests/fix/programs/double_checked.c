/*
 * Double-checked locking: the load outside of the lock must acquire.
 *
 * fix: memory_order_release
 * fix: memory_order_acquire
 * fix: static struct table *_Atomic instance;
 * not: _Atomic int size
 * hides
 */
#include <stdlib.h>

#include "pair.h"

struct table {
    int size;
};
static struct table *instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct table *get_table(void)
{
    struct table *seen = instance;
    if (!seen) {
        pthread_mutex_lock(&lock);
        seen = instance;
        if (!seen) {
            seen = malloc(sizeof(*seen));
            seen->size = 64;
            instance = seen;
        }
        pthread_mutex_unlock(&lock);
    }
    return seen;
}

static void *use(void *arg)
{
    assert(get_table()->size == 64);
    return arg;
}

int main(void)
{
    run_pair(use, use);
    return 0;
}
