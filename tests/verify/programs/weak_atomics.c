// Message passing by an atomic flag. With -DORDER=memory_order_relaxed the data may not have
// come; with release and acquire (and seq_cst) it has.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif
#define STORE_ORDER (ORDER == memory_order_acquire ? memory_order_release : ORDER)

static int data;
static atomic_int flag;

static void *producer(void *arg)
{
    data = 42;
    atomic_store_explicit(&flag, 1, STORE_ORDER);
    return arg;
}

static void *consumer(void *arg)
{
    while (!atomic_load_explicit(&flag, ORDER))
        ;
    assert(data == 42);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
