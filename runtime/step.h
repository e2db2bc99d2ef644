/*
 * step.h - the pipeline of every controlled event: scheduler, model, trace, analyses. The trace
 * comes before the analyses because these refer to the event by the index of its record.
 */
#ifndef SM_RUNTIME_STEP_H
#define SM_RUNTIME_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "core/libc/range.h"
#include "runtime/event.h"

/* A memory access of the running thread, including the scheduling point. On return the event has
   the value read. */
void sm_step(struct sm_event *event);

/* The same, but never stale. */
void sm_step_newest(struct sm_event *event);

/* The same for the second and further pieces of one wide access: no thread runs in between. */
void sm_step_more(struct sm_event *event);

/* The model may return stale or future values for this access, or delay it. */
bool sm_is_lied_about(const struct sm_event *event);

/* As sm_range_more (core/libc/range.h), for operands of unknown assembly, which are read and
   written as seq_cst atomics. */
void sm_range_atomic(int kind, const void *addr, size_t size, const struct sm_site *site);

#endif
