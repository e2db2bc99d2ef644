/*
 * One side of the flag is atomic, the other plain.
 *
 * fix: __atomic_load_n(&ready, __ATOMIC_ACQUIRE)
 * hides
 */
#include "pair.h"

static int data;
static int ready;

static void *send(void *arg)
{
    data = 7;
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
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
