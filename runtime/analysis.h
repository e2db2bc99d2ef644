/*
 * analysis.h - analyses that observe an execution.
 *
 * An analysis sees every event of every thread, in the order in which they happen, after
 * the model has filled in what was read. It may keep state, write results, and end the
 * execution (harm.h); it adds nothing else to it.
 */
#ifndef SM_RUNTIME_ANALYSIS_H
#define SM_RUNTIME_ANALYSIS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/event.h"

struct sm_analysis {
    const char *name;
    bool (*start)(void); /* false: not wanted in this execution */
    void (*event)(const struct sm_event *event);
    /* `old` bytes are accessed without an event: see aside.h. NULL: not wanted. */
    void (*aside)(const struct sm_event *event);
    /* The program exits by itself. NULL: not wanted. */
    void (*end)(void);
    uint64_t ignored; /* a bit for each kind of event that it does not need */
};

/* Asks each known analysis whether it is wanted; then passes events to those that are. */
void sm_analyses_start(void);
/* By kind of event: those that need it, a bit for each. */
extern uint8_t sm_analyses_needed[SM_EVENTS];
void sm_analyses_pass(const struct sm_event *event);
static inline void sm_analyses_event(const struct sm_event *event)
{
    if (sm_analyses_needed[event->kind])
        sm_analyses_pass(event);
}
void sm_analyses_aside(const struct sm_event *event);
void sm_analyses_end(void);

#endif
