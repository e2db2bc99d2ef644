/* Michael and Scott's queue: two threads put three values in, a third takes one out; with BOTH,
   that many threads put one in and take one out. Weakened: linking a node is no release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WEAK
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) order
#endif

struct node {
    struct node *_Atomic next;
    int value;
};
static struct node first;
static struct node *_Atomic head = &first, *_Atomic tail = &first;

static void put(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, NULL);
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire), *none = NULL;
        if (atomic_compare_exchange_strong_explicit(
                &last->next, &none, node, ORDER(memory_order_release), memory_order_acquire)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, node, memory_order_release,
                                                    memory_order_relaxed);
            return;
        }
        atomic_compare_exchange_strong_explicit(&tail, &last, none, memory_order_release,
                                                memory_order_relaxed);
    }
}

static int take(void)
{
    for (;;) {
        struct node *front = atomic_load_explicit(&head, memory_order_acquire);
        struct node *next = atomic_load_explicit(&front->next, memory_order_acquire);
        if (!next)
            return 0;
        int value = next->value;
        if (atomic_compare_exchange_strong_explicit(&head, &front, next, memory_order_release,
                                                    memory_order_relaxed))
            return value;
    }
}

#ifdef BOTH
static void *put_and_take(void *result)
{
    int *value = result;
    put(*value);
    *value = take();
    return NULL;
}

int main(void)
{
    pthread_t threads[BOTH];
    int values[BOTH], sum = 0;
    for (int i = 0; i < BOTH; i++) {
        values[i] = i + 1;
        pthread_create(&threads[i], NULL, put_and_take, &values[i]);
    }
    for (int i = 0; i < BOTH; i++) {
        pthread_join(threads[i], NULL);
        sum += values[i];
    }
    assert(sum == BOTH * (BOTH + 1) / 2 && take() == 0);
    return 0;
}
#else
static void *produce(void *unused)
{
    put(1);
    put(2);
    return unused;
}

static void *produce_more(void *unused)
{
    put(3);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, produce, NULL);
    pthread_create(&two, NULL, produce_more, NULL);
    int a = take(), sum = a;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(a == 0 || a == 1 || a == 3); /* 2 stands behind 1 */
    for (int value; (value = take());)
        sum += value;
    assert(sum == 6);
    return 0;
}
#endif
