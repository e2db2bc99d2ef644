/*
 * A volatile flag orders nothing.
 *
 * fix: atomic_store_explicit(&ready, 1, memory_order_release)
 * fix: atomic_load_explicit(&ready, memory_order_acquire)
 * fix: static _Atomic int ready;
 * not: _Atomic int data
 * hides
 */
#include "pair.h"

static int data;
static volatile int ready;

static void *send(void *arg)
{
    data = 7;
    ready = 1;
    return arg;
}

static void *receive(void *arg)
{
    if (ready)
        assert(data == 7);
    return arg;
}

int main(void)
{
    run_pair(send, receive);
    return 0;
}
