/*
 * units.h - which unit of work an access belongs to.
 *
 * Units are calls. A function is a unit for a set if it has external linkage and was given a
 * pointer to something of the set, or if it accesses structs of that type itself; for the
 * variables of a file, if it is an external function of the file that is given no pointer (one
 * that is, works on what it was given) or accesses them itself. An access belongs to the
 * outermost such call on the stack. A function that is called back by code
 * that is not instrumented starts afresh. What lies between stalemate_unit_begin and _end is a unit
 * of its own, whatever is called in it.
 *
 * Where this departs from the paper, because C programs would be accused without reason:
 *
 *   - The start routine of a thread, and main, are no units: all of a thread's work is never
 *     meant to be atomic. Nor is a start routine that main calls to do its share. What they
 *     access themselves belongs to the stretch between two synchronisations, atomic accesses
 *     included.
 *   - A unit that waits for another thread (for a condition, at a barrier, for a thread it
 *     joins, for a semaphore that it does not use as a lock) cannot be meant to be atomic
 *     across the wait: it ends there, and another begins. The same holds when it starts a
 *     thread and continues.
 *
 * And one departure finds more: a thread that its maker does nothing but wait for, and that is
 * its maker's only one, works for the unit that waits.
 *
 * With paper_units all three are left out. A method of the paper is a unit for its receiver alone,
 * which C does not name: a function that is given several objects is a unit for those whose fields
 * it accesses itself, or for all of them if it accesses no fields. The order of its arguments does
 * not matter.
 */
#ifndef SM_ANALYSIS_UNITS_H
#define SM_ANALYSIS_UNITS_H

#include "analysis/sets.h"
#include "runtime/event.h"

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
struct sm_work *sm_unit_of(const struct sm_thread *thread, struct sm_set *set);
const struct sm_context *sm_unit_context(uint32_t thread);
/* The lock that the thread took last of those it holds, and where; 0 if none. */
uintptr_t sm_unit_lock(uint32_t thread, uintptr_t *pc);

/* A set was accessed under the lock. */
void sm_units_guard(uintptr_t lock, struct sm_set *set);

/* Counts the creations and joins of threads so far. */
uint64_t sm_units_moment(void);
/* Was what `owner` did until that moment over before `thread` could do anything, because the one
   was created or joined by the other, or by another in between? */
bool sm_units_ordered(uint32_t owner, uint64_t moment, uint32_t thread);

/* How far the units of a thread have come, for the schedule that wants them interleaved. */
enum sm_progress_of_units {
    SM_UNITS_NONE,      /* none has accessed what is to be interleaved */
    SM_UNITS_HALF,      /* one has, and it is alone with its set */
    SM_UNITS_AHEAD,     /* one has after another, which is still under way */
    SM_UNITS_OVERTAKEN, /* another unit has, and has ended */
    SM_UNITS_MET,       /* another unit has, and is still under way */
};
enum sm_progress_of_units sm_units_progress(uint32_t thread);
/* Locks that the thread holds. */
uint32_t sm_units_locks(uint32_t thread);

#endif
