// no race
/* The addresses of nodes are in numbers; each thread has a node of its own. */
#include "../race.h"

#include <stdatomic.h>
#include <stdint.h>

struct node {
    struct node *next;
    int value;
} nodes[2];
_Atomic uintptr_t head;

static struct node *taken(void)
{
    uintptr_t number = atomic_fetch_add(&head, sizeof nodes[0]);
    return (struct node *)number;
}

static void *a(void *unused)
{
    struct node *node = taken();
    node->value = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    struct node *node = taken();
    node->value = 2;
    return unused;
}

int main(void)
{
    head = (uintptr_t)nodes;
    run(a, b);
    return 0;
}
