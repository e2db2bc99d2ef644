// no race
/* Double-checked locking with an atomic pointer. */
#include "../race.h"
#include <stdatomic.h>

_Atomic(int *) instance;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int *get(void)
{
    int *seen = atomic_load_explicit(&instance, memory_order_acquire);
    if (seen)
        return seen;
    pthread_mutex_lock(&m);
    seen = atomic_load_explicit(&instance, memory_order_relaxed);
    if (!seen) {
        seen = calloc(1, sizeof *seen);
        atomic_store_explicit(&instance, seen, memory_order_release);
    }
    pthread_mutex_unlock(&m);
    return seen;
}

static void *a(void *unused)
{
    USE(get());
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(get());
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
