/*
 * The consumer waits for the flag.
 *
 * fix: atomic_store_explicit(&done, 1, memory_order_release)
 * fix: atomic_load_explicit(&done, memory_order_acquire)
 * fix: while (!atomic_load_explicit(&done, memory_order_acquire))
 * not: _Atomic int data
 * hides
 */
#include <sched.h>

#include "pair.h"

static int data;
static volatile int done;

static void *producer(void *arg)
{
    data = 42;
    done = 1;
    return arg;
}

static void *consumer(void *arg)
{
    while (!done)
        sched_yield();
    assert(data == 42);
    return arg;
}

int main(void)
{
    run_pair(producer, consumer);
    return 0;
}
