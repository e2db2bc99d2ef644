/*
 * speculation.h - loads that have returned a value not stored yet.
 *
 * Prescient memory (Cao, Roemer, Sengupta, Bond 2016): a load may return a value that is expected
 * to be stored later. That is legal in hb if that value is stored later, by a store that does not
 * happen after the load. Until then the load is a speculation. An execution is valid only when
 * none is left; one that ends before, or in which no thread is left that could validate a
 * speculation, is invalid, and ends as SM_END_UNVALIDATED.
 *
 * Whether a load looks ahead, and which value it gets, are ordinary choices: the list of choices
 * is enough to replay the execution. policy/prescient.c makes them.
 *
 * A foreseen pointer may point to a block that is not allocated yet. The heaps are at fixed
 * addresses, so the memory is mapped, and holds what it will hold when it is allocated: as in
 * HBMM, the first value of a field is older than all its stores.
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

/* Numbers a load that may see future values (event->nth). */
void sm_speculation_name(struct sm_event *load);
/* True: the load looks ahead and gets *value. */
bool sm_foresee(const struct sm_event *load, uint64_t *value);
/* It gets that value, which no visible store has. Called directly before its record. */
void sm_speculation_add(struct sm_event *load, uint64_t value);

/* A store is about to be recorded: validates the speculations that wait for it. */
void sm_speculation_store(const struct sm_event *store);
/* A thread has acquired: is there still a thread that can validate each speculation? */
void sm_speculation_review(void);
/* The memory is freed: nothing stored there from now on validates. */
void sm_speculation_forget(uintptr_t addr, size_t size);

static inline bool sm_speculating(void)
{
    return sm_control->unvalidated != 0;
}

/* The queues (sched.h) of threads that wait until no speculation is left: those that then exit, and
   those that have failed, which are never woken. */
enum { SM_EXITING, SM_FAILED, SM_SPECULATION_QUEUES };
extern const char sm_speculation_queues[SM_SPECULATION_QUEUES];

/* hb.c: the values that the load may see, at most `most`, newest first. */
uint32_t sm_visible_values(const struct sm_event *load, uint64_t *values, uint32_t most);

#endif
