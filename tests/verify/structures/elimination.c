/* Treiber's stack with elimination (Hendler, Shavit, Yerushalmi): who fails at the top offers the
   value to, or takes one from, a slot beside it. Weakened: the offer is no release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef WEAK
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) order
#endif
#ifndef PUSHERS
#define PUSHERS 2
#endif

struct node {
    struct node *next;
    int value;
};
static struct node taken;
static struct node *_Atomic top, *_Atomic slot;

static int try_push(struct node *node)
{
    node->next = atomic_load_explicit(&top, memory_order_relaxed);
    return atomic_compare_exchange_strong_explicit(&top, &node->next, node, memory_order_release,
                                                   memory_order_relaxed);
}

/* Offers once, and looks once whether somebody took it. */
static int is_eliminated(struct node *node)
{
    struct node *none = NULL, *mine = node;
    if (!atomic_compare_exchange_strong_explicit(&slot, &none, node, ORDER(memory_order_release),
                                                 memory_order_relaxed))
        return 0;
    if (atomic_compare_exchange_strong_explicit(&slot, &mine, NULL, memory_order_relaxed,
                                                memory_order_relaxed))
        return 0;
    atomic_store_explicit(&slot, NULL, memory_order_relaxed);
    return 1;
}

static void *push(void *value)
{
    struct node *node = malloc(sizeof *node);
    node->value = (int)(intptr_t)value;
    while (!try_push(node) && !is_eliminated(node))
        continue;
    return NULL;
}

static int try_take(int *value)
{
    struct node *offer = atomic_load_explicit(&slot, memory_order_acquire);
    if (!offer || offer == &taken)
        return 0;
    *value = offer->value;
    return atomic_compare_exchange_strong_explicit(&slot, &offer, &taken, memory_order_acquire,
                                                   memory_order_relaxed);
}

static int pop(void)
{
    int value;
    for (;;) {
        struct node *node = atomic_load_explicit(&top, memory_order_acquire);
        if (try_take(&value))
            return value;
        if (!node)
            return 0;
        if (atomic_compare_exchange_strong_explicit(&top, &node, node->next, memory_order_acquire,
                                                    memory_order_relaxed))
            return node->value;
    }
}

static void *pop_one(void *result)
{
    *(int *)result = pop();
    return NULL;
}

int main(void)
{
    pthread_t threads[PUSHERS + 1];
    int got = 0, sum = 0;
    for (intptr_t i = 0; i < PUSHERS; i++)
        pthread_create(&threads[i], NULL, push, (void *)(i + 1));
    pthread_create(&threads[PUSHERS], NULL, pop_one, &got);
    for (int i = 0; i <= PUSHERS; i++)
        pthread_join(threads[i], NULL);
    for (int value; (value = pop());)
        sum += value;
    assert(got + sum == PUSHERS * (PUSHERS + 1) / 2);
    return 0;
}
