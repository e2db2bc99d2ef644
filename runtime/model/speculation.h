/*
 * speculation.h - loads that have seen a value which nobody has stored yet.
 *
 * Prescient memory (Cao, Roemer, Sengupta, Bond 2016): a load may be told a value that is
 * expected to be stored later. That is legal in hb if a store of that value does come, and
 * does not happen after the load. Until it has come the load is a speculation. An execution
 * counts only when none is left; one that has ended before, or in which no thread is left
 * that could still validate one, is none, and ends as SM_END_UNVALIDATED.
 *
 * Whether a load looks ahead, and what it then sees, are choices like all others: the list
 * of choices alone makes the execution again. Where they come from is policy/prescient.c.
 *
 * A pointer that is foreseen may point to what is not allocated yet. The heaps are at fixed
 * addresses, so the memory is given its pages, and holds what it will hold when it is
 * allocated: as in HBMM, the first value of a field is older than all its stores.
 *
 * Called by model/hb.c; end.c asks whether the execution may end.
 */
#ifndef SM_RUNTIME_MODEL_SPECULATION_H
#define SM_RUNTIME_MODEL_SPECULATION_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/control.h"
#include "runtime/event.h"

void sm_speculation_start(void);

/* Gives a load that may be lied about its number (event->nth). */
void sm_speculation_name(struct sm_event *load);
/* The load looks ahead: *value is what it finds. */
bool sm_foresee(const struct sm_event *load, uint64_t *value);
/* It sees that value, which no visible store has. Called directly before its record. */
void sm_speculation_add(struct sm_event *load, uint64_t value);

/* A store, about to be recorded: validates what is waiting for it. */
void sm_speculation_store(const struct sm_event *store);
/* A thread has learnt something: is there still one that can validate each speculation? */
void sm_speculation_review(void);
/* The memory is freed: nothing stored there from now on is what was foreseen. */
void sm_speculation_forget(uintptr_t addr, size_t size);

static inline bool sm_speculating(void)
{
    return sm_control->unvalidated != 0;
}

/* The queues (sched.h) of threads that wait until nothing is speculative any more: those that
   then exit, and those that have failed, which nobody wakes. */
enum { SM_EXITING, SM_FAILED, SM_SPECULATION_QUEUES };
extern const char sm_speculation_queues[SM_SPECULATION_QUEUES];

/* hb.c: the values that the load may see, no more than `most`; the newest first. */
uint32_t sm_visible_values(const struct sm_event *load, uint64_t *values, uint32_t most);

#endif
