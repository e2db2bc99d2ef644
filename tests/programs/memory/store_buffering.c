// Store buffering: prints what each thread saw of the other. "0 0" is for weaker models than sc.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static _Atomic int x, y;
static int r1, r2;

static void *first(void *arg)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}

static void *second(void *arg)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("%d %d\n", r1, r2);
    return 0;
}
