/*
 * phase.h - phases that order nothing: relaxed atomics say when one is over, so that the
 * program prints the same under every schedule, and the racy accesses stay racy.
 */
#ifndef PHASE_H
#define PHASE_H

#include <sched.h>
#include <stdatomic.h>

static atomic_int phase;

static inline void begin_phase(int number)
{
    atomic_store_explicit(&phase, number, memory_order_relaxed);
}

static inline void await_phase(int number)
{
    while (atomic_load_explicit(&phase, memory_order_relaxed) < number)
        sched_yield();
}

#endif
