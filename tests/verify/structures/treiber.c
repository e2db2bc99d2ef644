/* Treiber's stack: two threads push, one pops. Weakened: pushing is no release. */
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
static struct node *_Atomic top;

static void *push(void *arg)
{
    struct node *node = malloc(sizeof *node);
    node->value = (int)(intptr_t)arg;
    node->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(
        &top, &node->next, node, ORDER(memory_order_release), memory_order_relaxed))
        continue;
    return NULL;
}

static int pop(void)
{
    struct node *node = atomic_load_explicit(&top, memory_order_acquire);
    while (node && !atomic_compare_exchange_weak_explicit(
                       &top, &node, node->next, memory_order_acquire, memory_order_acquire))
        continue;
    return node ? node->value : 0;
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
