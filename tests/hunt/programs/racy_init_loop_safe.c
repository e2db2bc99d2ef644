/*
 * The race-free twin of racy_init_loop.c.
 *
 * hunt: nothing
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct circle {
    int radius;
};
static struct circle circle;
static _Atomic(struct circle *) shape;
static int drawn;

static void *init(void *arg)
{
    circle.radius = 3;
    atomic_store_explicit(&shape, &circle, memory_order_release);
    return arg;
}

static void *use(void *arg)
{
    for (int i = 0; i < 10; i++)
        if (atomic_load_explicit(&shape, memory_order_acquire))
            drawn += atomic_load_explicit(&shape, memory_order_acquire)->radius;
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, init, NULL);
    pthread_create(&threads[1], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (drawn % 3)
        puts("torn");
    puts("done");
    return 0;
}
