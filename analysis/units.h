/*
 * units.h - which unit of work an access belongs to.
 *
 * Units are calls. A function is a unit for a set if it has external linkage and was passed a
 * pointer into the set, or if it accesses structs of that type itself; for the variables of a
 * file, if it is an external function of the file without pointer arguments (with one, it works on
 * what it was passed) or accesses them itself. An access belongs to the outermost such call on the
 * stack. A function called back by uninstrumented code starts a new stack. Everything between
 * stalemate_unit_begin and _end is one unit, whatever is called in it.
 *
 * Deviations from the paper, to avoid false reports for C programs:
 *
 *   - The start routine of a thread, and main, are not units: all of a thread's work is never
 *     meant to be atomic. Nor is a start routine that main calls to do its share, nor a function
 *     that waits for a condition and that the start routine does nothing but call. What they
 *     access themselves belongs to the stretch between two synchronisations, atomic accesses
 *     included.
 *   - A unit that waits for another thread (for a condition, at a barrier, for a thread it
 *     joins, for a semaphore that it does not use as a lock) cannot be meant to be atomic
 *     across the wait: it ends there, and another begins. The same holds when it starts a
 *     thread and continues.
 *
 * One deviation finds more: if a thread's creator only waits for it, and it is the creator's only
 * child, it works for the waiting unit.
 *
 * With paper_units all three are off. A method of the paper is a unit for its receiver only,
 * which C does not have: a function with several object arguments is a unit for those whose fields
 * it accesses itself, or for all of them if it accesses no fields. The order of its arguments does
 * not matter.
 */
#ifndef SM_ANALYSIS_UNITS_H
#define SM_ANALYSIS_UNITS_H

#include "analysis/sets.h"
#include "runtime/event.h"

/* A call stack, as a node of the tree of all stacks seen. */
struct sm_context {
    const struct sm_context *caller; /* NULL: none */
    struct sm_context *callees, *next;
    const struct sm_function *function;
    uintptr_t pc; /* return address */
    bool called_back;
};

void sm_units_start(bool paper);
/* Calls, declared units and synchronisation. */
void sm_units_event(const struct sm_event *event);
/* The unit that an access of the thread to the set belongs to; NULL before its first call. */
struct sm_work *sm_unit_of(const struct sm_thread *thread, struct sm_set *set);
const struct sm_context *sm_unit_context(uint32_t thread);
/* The last taken lock of those the thread holds, and where; 0 if none. */
uintptr_t sm_unit_lock(uint32_t thread, uintptr_t *pc);

/* A set was accessed under the lock. */
void sm_units_guard(uintptr_t lock, struct sm_set *set);

/* Counts the creations and joins of threads so far. */
uint64_t sm_units_moment(void);
/* Did everything that `owner` did until that moment come before `thread` could do anything, because
   of creation and joining, directly or through another thread? */
bool sm_units_ordered(uint32_t owner, uint64_t moment, uint32_t thread);

/* Progress of a thread's units, for the schedule that interleaves them. */
enum sm_progress_of_units {
    SM_UNITS_NONE,      /* none has accessed what is to be interleaved */
    SM_UNITS_HALF,      /* one has, and is alone with its set */
    SM_UNITS_AHEAD,     /* one has after another, which is still active */
    SM_UNITS_OVERTAKEN, /* another unit has since, and has ended */
    SM_UNITS_MET,       /* another unit has since, and is still active */
};
enum sm_progress_of_units sm_units_progress(uint32_t thread);
/* Locks that the thread holds. */
uint32_t sm_units_locks(uint32_t thread);

#endif
