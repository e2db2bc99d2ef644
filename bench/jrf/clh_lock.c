/* The CLH lock: each thread waits for the flag of the node before its own. */
#include "two.h"

struct node {
    SHARED(int) locked;
};
static struct node first, nodes[2];
static _Atomic(struct node *) tail = &first;
static int counter;

static void *work(void *arg)
{
    struct node *mine = &nodes[*(int *)arg];
    mine->locked = 1;
    struct node *before = atomic_exchange(&tail, mine);
    while (before->locked)
        ;
    counter++;
    mine->locked = 0;
    return arg;
}

int main(void)
{
    run_two(work, work);
    assert(counter == 2);
    return 0;
}
