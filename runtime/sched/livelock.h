/*
 * livelock.h - threads that repeat the same reads for ever.
 *
 * After SM_LIVELOCK_POINTS scheduling points without an effect, a snapshot of each thread is taken
 * at one of its reads. A thread that comes back to the read in the same state, with no effect in
 * between, repeats itself until memory changes. If all threads that can run do, and nothing from
 * outside can change memory, none ever goes on: they block, and the scheduler says so.
 *
 * An effect is a store that changes memory, an operation on an object, a call that is intercepted
 * (the clock, random numbers, input) except to yield, and a read that may see another store than
 * the newest. So polls that sleep, or take a lock, are not recognised. Nothing is concluded
 * - unless every access is an event: a store that is none could end the loop;
 * - where a thread waits for time or for a descriptor, a timer runs, the program handles signals,
 *   has forked, has mapped memory that processes share, or has threads that are not under control.
 * What code changes that was not compiled with stalemate-cc is not seen. For that, too, there are
 * so many points: some ten milliseconds.
 */
#ifndef SM_RUNTIME_SCHED_LIVELOCK_H
#define SM_RUNTIME_SCHED_LIVELOCK_H

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/event.h"

/* The scheduling point from which on reads are looked at; UINT64_MAX: never. Grows with each
   effect, and so tells whether there was one. */
extern uint64_t sm_livelock_from;

void sm_livelock_start(void); /* before each execution */
/* The program maps memory that processes share. */
void sm_livelock_never(void);

static inline void sm_livelock_effect(void)
{
    if (sm_livelock_from != UINT64_MAX)
        sm_livelock_from = sm_control->counters[SM_COUNT_POINT] + SM_LIVELOCK_POINTS;
}

void sm_livelock_look(struct sm_event *read);
/* The running thread has read the newest store. May not return. */
static inline void sm_livelock_read(struct sm_event *read)
{
    if (SM_UNLIKELY(sm_control->counters[SM_COUNT_POINT] >= sm_livelock_from))
        sm_livelock_look(read);
}

#endif
