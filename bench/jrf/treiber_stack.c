/* The lock-free stack; the race is that a node is linked after it was pushed. */
#include "two.h"

struct node {
    int value;
    struct node *next;
};
static struct node nodes[2];
static _Atomic(struct node *) top;

static void *push(void *arg)
{
    struct node *mine = &nodes[*(int *)arg], *seen = top;
    mine->value = 1;
#ifdef FIXED
    do {
        mine->next = seen;
    } while (!atomic_compare_exchange_strong(&top, &seen, mine));
#else
    while (!atomic_compare_exchange_strong(&top, &seen, mine))
        ;
    mine->next = seen;
#endif
    return arg;
}

static void *pop(void *arg)
{
    struct node *seen = top;
    while (seen && !atomic_compare_exchange_strong(&top, &seen, seen->next))
        ;
    return arg;
}

int main(void)
{
    run_two(push, pop);
    return 0;
}
