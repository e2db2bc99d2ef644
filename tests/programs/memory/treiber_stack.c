// A lock-free stack: pushes by compare-exchange, one consumer takes all.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};
static struct node *_Atomic top;

static void *produce(void *arg)
{
    int base = (int)(long)arg;

    for (int i = 0; i < 5; i++) {
        struct node *node = malloc(sizeof(*node));
        node->value = base + i;
        node->next = atomic_load_explicit(&top, memory_order_relaxed);
        while (!atomic_compare_exchange_weak_explicit(&top, &node->next, node, memory_order_release,
                                                      memory_order_relaxed))
            continue;
    }
    return NULL;
}

static int take_all(void)
{
    int sum = 0;
    struct node *list = atomic_exchange_explicit(&top, NULL, memory_order_acquire);

    while (list) {
        struct node *next = list->next;
        sum += list->value;
        free(list);
        list = next;
    }
    return sum;
}

int main(void)
{
    pthread_t threads[3];
    int sum = 0;

    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, produce, (void *)(i * 100));
    for (int i = 0; i < 4; i++)
        sum += take_all();
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    sum += take_all();
    assert(sum == 3 * 10 + 5 * 300);
    return 0;
}
