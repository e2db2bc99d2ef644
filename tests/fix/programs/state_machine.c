/*
 * A state with three values: the last one publishes.
 *
 * fix: atomic_store_explicit(&state, FULL, memory_order_release)
 * fix: atomic_load_explicit(&state, memory_order_acquire)
 * fix: static _Atomic enum state state
 * not: _Atomic int data
 * hides
 */
#include "pair.h"

enum state { EMPTY, FILLING, FULL };
static int data;
static enum state state = EMPTY;

static void *fill(void *arg)
{
    state = FILLING;
    data = 11;
    state = FULL;
    return arg;
}

static void *take(void *arg)
{
    if (state == FULL)
        assert(data == 11);
    return arg;
}

int main(void)
{
    run_pair(fill, take);
    return 0;
}
