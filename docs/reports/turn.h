/* Who comes first: the order is there, happens-before is not, so what follows races. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int turn;

static inline void done(void)
{
    atomic_store_explicit(&turn, 1, memory_order_relaxed);
}

static inline void after(void)
{
    while (!atomic_load_explicit(&turn, memory_order_relaxed))
        sched_yield();
}
