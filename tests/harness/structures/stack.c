/* Treiber's stack, with a free list. BROKEN: neither head has a tag, so that a node that was popped
   and pushed again is taken for the one that was read (ABA). */
#include "stack.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { NODES = 8 };

struct node {
    int value;
    atomic_uint next; /* number of the next node; 0: none */
};

struct stack {
    struct node nodes[NODES + 1];
    _Atomic uint64_t top, unused; /* tag and number */
};

static uint64_t after(uint64_t old, uint32_t number)
{
#ifdef BROKEN
    (void)old;
    return number;
#else
    return ((old >> 32) + 1) << 32 | number;
#endif
}

static void put(struct stack *stack, _Atomic uint64_t *head, uint32_t number)
{
    uint64_t old = atomic_load(head);
    do
        atomic_store(&stack->nodes[number].next, (uint32_t)old);
    while (!atomic_compare_exchange_strong(head, &old, after(old, number)));
}

static uint32_t take(struct stack *stack, _Atomic uint64_t *head)
{
    uint64_t old = atomic_load(head);
    while ((uint32_t)old) {
        uint32_t next = atomic_load(&stack->nodes[(uint32_t)old].next);
        if (atomic_compare_exchange_strong(head, &old, after(old, next)))
            break;
    }
    return (uint32_t)old;
}

struct stack *stack_create(void)
{
    struct stack *stack = calloc(1, sizeof *stack);
    for (uint32_t i = NODES; i > 0; i--)
        put(stack, &stack->unused, i);
    return stack;
}

void stack_destroy(struct stack *stack)
{
    free(stack);
}

bool stack_push(struct stack *stack, int value)
{
    uint32_t number = take(stack, &stack->unused);
    if (!number)
        return false;
    stack->nodes[number].value = value;
    put(stack, &stack->top, number);
    return true;
}

bool stack_pop(struct stack *stack, int *value)
{
    uint32_t number = take(stack, &stack->top);
    if (!number)
        return false;
    *value = stack->nodes[number].value;
    put(stack, &stack->unused, number);
    return true;
}
