// executions: 3
// models: sc tso pso c11
// Three ways to push: what is stored before the exchange is stored again after a failure. Nobody
// else stores there, so it makes no difference.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *next;
    struct node *_Atomic linked;
};
static struct node *_Atomic top, *_Atomic first;
static struct node nodes[3];

#ifdef RACED
static void *disturb(void *arg)
{
    nodes[1].next = NULL;
    return arg;
}
#endif

static void *push(void *arg)
{
    struct node *node = arg, *old = atomic_load_explicit(&top, memory_order_relaxed);
    do
        node->next = old;
    while (!atomic_compare_exchange_weak(&top, &old, node));
    return NULL;
}

static void *push_in_place(void *arg)
{
    struct node *node = arg;
    node->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak(&top, &node->next, node))
        continue;
    struct node *old = atomic_load_explicit(&first, memory_order_relaxed);
    do
        atomic_store_explicit(&node->linked, old, memory_order_relaxed);
    while (!atomic_compare_exchange_weak(&first, &old, node));
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, push, &nodes[1]);
#ifdef RACED
    pthread_create(&two, NULL, disturb, NULL);
#else
    pthread_create(&two, NULL, push_in_place, &nodes[2]);
#endif
    pthread_join(one, NULL);
    pthread_join(two, NULL);
#ifndef RACED
    assert(top && top->next && !top->next->next && first == &nodes[2]);
#endif
    return 0;
}
