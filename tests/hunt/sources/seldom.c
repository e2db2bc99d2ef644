/* The window in which the second thread also looks is narrow: few executions show that race. */
#include <pthread.h>
#include <stdatomic.h>

static int news;
static atomic_int open, seen;

static void *publish(void *arg)
{
    atomic_store_explicit(&open, 1, memory_order_relaxed);
    news = 1;
    atomic_store_explicit(&open, 0, memory_order_relaxed);
    return arg;
}

static void peek(void)
{
    atomic_fetch_add(&seen, news);
}

static void *look(void *arg)
{
    atomic_fetch_add(&seen, news);
    if (atomic_load_explicit(&open, memory_order_relaxed))
        peek();
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, publish, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
