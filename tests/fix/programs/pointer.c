/*
 * A pointer publishes what it points to.
 *
 * fix: atomic_store_explicit(&shared, &box, memory_order_release)
 * fix: atomic_load_explicit(&shared, memory_order_acquire)
 * fix: static struct box *_Atomic shared;
 * hides
 */
#include "pair.h"

struct box {
    int value;
};
static struct box box;
static struct box *shared;

static void *send(void *arg)
{
    box.value = 9;
    shared = &box;
    return arg;
}

static void *receive(void *arg)
{
    struct box *seen = shared;
    if (seen)
        assert(seen->value == 9);
    return arg;
}

int main(void)
{
    run_pair(send, receive);
    return 0;
}
