// no race
/* An object that is published through a releasing pointer. */
#include "../race.h"
#include <stdatomic.h>

struct Node {
    int value;
};
_Atomic(struct Node *) published;

static void *a(void *unused)
{
    struct Node *node = malloc(sizeof *node);
    node->value = 1;
    atomic_store_explicit(&published, node, memory_order_release);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    struct Node *node = atomic_load_explicit(&published, memory_order_acquire);
    USE(node->value);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
