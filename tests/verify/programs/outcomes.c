/* Store buffering, and what was read: three outcomes under sc, four where stores are delayed. */
#include <pthread.h>
#include <stalemate.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *left(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}

static void *right(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    stalemate_outcome("a=%d b=%d", a, b);
    return 0;
}
