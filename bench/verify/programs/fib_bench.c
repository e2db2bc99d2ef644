/* Two threads add each other's counter, five rounds or as many as are said, by acquire and release,
   and the initial thread looks on (SV-COMP's fib_bench). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef ROUNDS
#define ROUNDS 5
#endif
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

/* What both can come to: a Fibonacci number, 144 after five rounds. */
static int most(void)
{
    int low = 1, high = 1;
    for (int k = 0; k < ROUNDS; k++) {
        low += high;
        high += low;
    }
    return high;
}

int main(void)
{
    pthread_t a, b;
    int limit = most();
    pthread_create(&a, NULL, add_y, NULL);
    pthread_create(&b, NULL, add_x, NULL);
    bool large = atomic_load_explicit(&x, memory_order_acquire) > limit ||
                 atomic_load_explicit(&y, memory_order_acquire) > limit;
    assert(!large);
    return 0;
}
