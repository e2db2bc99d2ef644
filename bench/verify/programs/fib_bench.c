/* Two threads add each other's counter, five rounds, by acquire and release, and the
   initial thread looks on (SV-COMP's fib_bench). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { ROUNDS = 5 };
static atomic_int x = 1, y = 1;

static void *add_y(void *unused)
{
    (void)unused;
    for (int k = 0; k < ROUNDS; k++) {
        int a = atomic_load_explicit(&x, memory_order_acquire);
        int b = atomic_load_explicit(&y, memory_order_acquire);
        atomic_store_explicit(&x, a + b, memory_order_release);
    }
    return NULL;
}

static void *add_x(void *unused)
{
    (void)unused;
    for (int k = 0; k < ROUNDS; k++) {
        int a = atomic_load_explicit(&y, memory_order_acquire);
        int b = atomic_load_explicit(&x, memory_order_acquire);
        atomic_store_explicit(&y, a + b, memory_order_release);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add_y, NULL);
    pthread_create(&b, NULL, add_x, NULL);
    bool large = atomic_load_explicit(&x, memory_order_acquire) > 144 ||
                 atomic_load_explicit(&y, memory_order_acquire) > 144;
    assert(!large);
    return 0;
}
