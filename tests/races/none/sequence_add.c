// no race
/* A relaxed fetch-and-add goes on with a release sequence. */
#include "../race.h"
#include <stdatomic.h>

int data;
atomic_int ready;

static void *c(void *unused)
{
    after(1);
    while (atomic_load_explicit(&ready, memory_order_acquire) < 2)
        ;
    USE(data);
    return unused;
}

static void *a(void *unused)
{
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    atomic_fetch_add_explicit(&ready, 1, memory_order_relaxed);
    done(1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, c, NULL);
    run(a, b);
    pthread_join(thread, NULL);
    return 0;
}
