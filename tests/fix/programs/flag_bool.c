/*
 * The flag is a bool.
 *
 * fix: atomic_store_explicit(&ready, true, memory_order_release)
 * fix: atomic_load_explicit(&ready, memory_order_acquire)
 * fix: static _Atomic bool ready;
 * hides
 */
#include <stdbool.h>

#include "pair.h"

static int data;
static bool ready;

static void *send(void *arg)
{
    data = 7;
    ready = true;
    return arg;
}

static void *receive(void *arg)
{
    if (!ready)
        return arg;
    assert(data == 7);
    return arg;
}

int main(void)
{
    run_pair(send, receive);
    return 0;
}
