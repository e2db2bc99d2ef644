/*
 * units.h - which unit of work an access belongs to.
 *
 * Units are calls. A function is a unit for a set if it has external linkage and was given a
 * pointer to something of the set, or if it accesses the set itself; an access belongs to the
 * outermost such call on the stack. A function that is called back by code that is not
 * instrumented starts afresh. What lies between stalemate_unit_begin and _end is a unit of
 * its own, whatever is called in it.
 *
 * Where this departs from the paper, because C programs would be accused without reason:
 *
 *   - The start routine of a thread, and main, are no units: all of a thread's work is never
 *     meant to be atomic. What they access themselves belongs to the stretch between two
 *     synchronisations.
 *   - A unit that waits for another thread (for a condition, at a barrier, for a thread it
 *     joins, for a semaphore that it does not use as a lock) cannot be meant to be atomic
 *     across the wait: it ends there, and another begins. So it is when it starts a thread.
 *
 * SM_UNITS_PAPER leaves both out, and takes every external function of a file for a unit on
 * the file's variables.
 */
#ifndef SM_UNITS_H
#define SM_UNITS_H

#include "../runtime/event.h"
#include "sets.h"

/* A call stack, as a node of the tree of all that were seen. */
struct sm_context {
    const struct sm_context *caller; /* NULL: none */
    struct sm_context *callees, *next;
    const struct sm_function *function;
    uintptr_t pc; /* where it returns to */
    bool called_back;
};

void sm_units_start(bool paper);
/* Calls, declared units and synchronisation. */
void sm_units_event(const struct sm_event *event);
/* The unit that an access of the thread to the set belongs to; NULL before its first call. */
struct sm_work *sm_unit_of(uint32_t thread, struct sm_set *set);
const struct sm_context *sm_unit_context(uint32_t thread);
/* The lock that the thread took last of those it holds, and where; 0 if none. */
uintptr_t sm_unit_lock(uint32_t thread, uintptr_t *pc);

/* How far the units of a thread have come, for the schedule that wants them interleaved. */
enum sm_progress_of_units {
    SM_UNITS_NONE,      /* none has accessed anything */
    SM_UNITS_HALF,      /* one has, and nobody else has accessed its set since */
    SM_UNITS_OVERTAKEN, /* another unit has, and has ended */
    SM_UNITS_MET,       /* another unit has, and is still under way */
};
enum sm_progress_of_units sm_units_progress(uint32_t thread);
/* Locks that the thread holds. */
uint32_t sm_units_locks(uint32_t thread);

#endif
