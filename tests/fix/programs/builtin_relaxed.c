/*
 * The same with the __atomic functions of the compiler.
 *
 * fix: __atomic_store_n(&ready, 1, __ATOMIC_RELEASE)
 * fix: __atomic_load_n(&ready, __ATOMIC_ACQUIRE)
 * hides
 */
#include "pair.h"

static int data;
static int ready;

static void *send(void *arg)
{
    data = 7;
    __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
    return arg;
}

static void *receive(void *arg)
{
    if (__atomic_load_n(&ready, __ATOMIC_RELAXED))
        assert(data == 7);
    return arg;
}

int main(void)
{
    run_pair(send, receive);
    return 0;
}
