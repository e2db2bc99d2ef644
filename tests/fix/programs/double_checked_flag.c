/*
 * Double-checked initialisation with a flag beside the value.
 *
 * fix: atomic_store_explicit(&ready, 1, memory_order_release)
 * fix: atomic_load_explicit(&ready, memory_order_acquire)
 * not: _Atomic int value
 * hides
 */
#include "pair.h"

static int value;
static int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int get(void)
{
    if (!ready) {
        pthread_mutex_lock(&lock);
        if (!ready) {
            value = 5;
            ready = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return value;
}

static void *use(void *arg)
{
    assert(get() == 5);
    return arg;
}

int main(void)
{
    run_pair(use, use);
    return 0;
}
