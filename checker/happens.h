/*
 * happens.h - happens-before, as vector clocks computed from the records alone.
 *
 * The clock of an event holds, for each thread, the time of the last event of that thread
 * which happens before it (or is it). Events of a thread between two acquires share one
 * vector: they differ only in the thread's own entry, which is their time. So a clock is
 * stored only after an acquire.
 *
 * Synchronisation is always a join with the clock of an event: a release store, a fence, an
 * unlock, a spawn, an end. A store publishes a message: a short list of such events, at most
 * one for each thread, the last one.
 */
#ifndef SM_CHECKER_HAPPENS_H
#define SM_CHECKER_HAPPENS_H

#include "checker/execution.h"

struct sm_event_clock {
    uint32_t first, n; /* entries for threads 0..n-1; the rest are 0 */
};

struct sm_event_clocks {
    SM_VECTOR(uint32_t) times;
    SM_VECTOR(struct sm_event_clock) all;
};

/* Sets the clock of every event. */
void sm_happens_compute(struct sm_execution *x);
void sm_happens_free(struct sm_execution *x);

/* Time of the last event of the thread that happens before `event` or is it; 0 if none. */
static inline uint32_t sm_knows(const struct sm_execution *x, const struct sm_checked_event *event,
                                uint32_t thread)
{
    const struct sm_event_clock *clock = &x->clocks->all.at[event->clock];
    if (thread == event->thread)
        return event->time;
    return thread < clock->n ? x->clocks->times.at[clock->first + thread] : 0;
}

/* Reflexive. */
static inline bool sm_happens_before(const struct sm_execution *x, uint32_t a, uint32_t b)
{
    const struct sm_checked_event *event = &x->events.at[a];
    return event->time <= sm_knows(x, &x->events.at[b], event->thread);
}

/* The event of the thread at that time (from 1). */
static inline uint32_t sm_event_at(const struct sm_execution *x, uint32_t thread, uint32_t time)
{
    return x->by_thread[x->thread_first[thread] + time - 1];
}

#endif
