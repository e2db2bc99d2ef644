/* The lock-free queue of Michael and Scott; the race is a link that is not atomic. */
#include "two.h"

struct node {
    int value;
    struct node *next;
};
static struct node first, second;
static _Atomic(struct node *) head = &first, tail = &first;

static struct node *next_of(struct node *node)
{
#ifdef FIXED
    return __atomic_load_n(&node->next, __ATOMIC_SEQ_CST);
#else
    return node->next;
#endif
}

static void *enqueue(void *arg)
{
    struct node *last = tail, *none = NULL;
    second.value = 7;
    if (__atomic_compare_exchange_n(&last->next, &none, &second, 0, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST))
        atomic_compare_exchange_strong(&tail, &last, &second);
    return arg;
}

static void *dequeue(void *arg)
{
    struct node *old = head, *next = next_of(old);
    if (next && atomic_compare_exchange_strong(&head, &old, next))
        assert(next->value == 7);
    return arg;
}

int main(void)
{
    run_two(enqueue, dequeue);
    return 0;
}
