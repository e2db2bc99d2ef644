// race: hint
// models: sc
// Only an iteration that fails reads the hint, and nothing comes of it: its races count all the
// same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int hint;
static volatile int sink;

static void *add(void *unused)
{
    int old;
    for (;;) {
        old = atomic_load_explicit(&x, memory_order_relaxed);
        if (atomic_compare_exchange_strong(&x, &old, old + 1))
            break;
        if (hint > 100)
            sink = 1;
    }
    return unused;
}

static void *add_and_hint(void *unused)
{
    add(unused);
    hint = 1;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add_and_hint, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
