/*
 * The flag is a field.
 *
 * fix: atomic_store_explicit(&slot.full, 1, memory_order_release)
 * fix: atomic_load_explicit(&slot.full, memory_order_acquire)
 * hides
 */
#include "pair.h"

static struct slot {
    int value;
    int full;
} slot;

static void *send(void *arg)
{
    slot.value = 5;
    slot.full = 1;
    return arg;
}

static void *receive(void *arg)
{
    if (slot.full)
        assert(slot.value == 5);
    return arg;
}

int main(void)
{
    run_pair(send, receive);
    return 0;
}
