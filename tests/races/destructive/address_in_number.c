// race: node.value
/* A lock-free list keeps the addresses of its nodes in numbers. */
#include "../race.h"

#include <stdatomic.h>
#include <stdint.h>

struct node {
    struct node *next;
    int value;
} nodes[2];
_Atomic uintptr_t head;

static struct node *first(void)
{
    uintptr_t number = atomic_load_explicit(&head, memory_order_relaxed);
    return (struct node *)number;
}

static void *a(void *unused)
{
    struct node *node = first();
    node->value = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    struct node *node = first();
    node->value = 2;
    return unused;
}

int main(void)
{
    head = (uintptr_t)&nodes[1];
    run(a, b);
    return 0;
}
