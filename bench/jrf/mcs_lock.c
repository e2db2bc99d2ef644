/* The MCS lock: each thread waits for its own flag, and hands on to the node behind it. */
#include "two.h"

struct node {
    SHARED(int) locked;
    SHARED(struct node *) next;
};
static struct node nodes[2];
static _Atomic(struct node *) tail;
static int counter;

static void lock(struct node *mine)
{
    struct node *before = atomic_exchange(&tail, mine);
    if (!before)
        return;
    mine->locked = 1;
    before->next = mine;
    while (mine->locked)
        ;
}

static void unlock(struct node *mine)
{
    struct node *expected = mine;
    if (!mine->next && atomic_compare_exchange_strong(&tail, &expected, NULL))
        return;
    while (!mine->next)
        ;
    mine->next->locked = 0;
}

static void *work(void *arg)
{
    struct node *mine = &nodes[*(int *)arg];
    lock(mine);
    counter++;
    unlock(mine);
    return arg;
}

int main(void)
{
    run_two(work, work);
    assert(counter == 2);
    return 0;
}
