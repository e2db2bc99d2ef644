/*
 * outside.h - stores by code that is not instrumented.
 *
 * verify decides what a load of shared memory returns, so during a run it knows the bytes there:
 * what the last access left. If they differ, a library has stored to them (libstdc++ balances the
 * tree of std::map). Such stores are not events: other threads would continue with older values,
 * and crash where the program does not. The program is refused.
 *
 * Checked only in programs that are not completely instrumented (whole.h).
 */
#ifndef SM_VERIFY_RUN_OUTSIDE_H
#define SM_VERIFY_RUN_OUTSIDE_H

#include "runtime/event.h"
#include "runtime/model/memory.h"

/* Tested at each access; most programs are completely instrumented. */
extern bool sm_outside_on;

void sm_outside_start(void); /* once */
void sm_outside_begin(void); /* before each execution */
void sm_outside_note(uint16_t loc, uintptr_t addr, unsigned size);
void sm_outside_compare(uint16_t loc, const struct sm_event *event);

/* Memory is as an access to this location left it. */
static inline void sm_outside_left(uint16_t loc, uintptr_t addr, unsigned size)
{
    if (sm_outside_on)
        sm_outside_note(loc, addr, size);
}

/* The access is done: memory holds what its thread sees, for libraries. */
static inline void sm_outside_put(const struct sm_event *event, uint16_t loc)
{
    sm_memory_write(event->addr, event->size, event->value);
    sm_outside_left(loc, event->addr, event->size);
}

/* Before a load. */
static inline void sm_outside_check(uint16_t loc, const struct sm_event *event)
{
    if (sm_outside_on)
        sm_outside_compare(loc, event);
}

/* A block was allocated, and may have been cleared. */
void sm_outside_allocated(const struct sm_event *event);

#endif
