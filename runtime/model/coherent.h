/*
 * coherent.h - accesses with RC11's per-location coherence.
 *
 * The stores of a location have one modification order, which every thread respects: what
 * it reads or stores lies behind every store it knows of, and behind every store that
 * somebody it knows of has read. A new store need not come last in that order.
 */
#ifndef SM_RUNTIME_MODEL_COHERENT_H
#define SM_RUNTIME_MODEL_COHERENT_H

#include "runtime/model/history.h"

/* The access may see or be any legal store; else (not lied about) it is the newest. */
void sm_coherent_load(struct sm_event *event);
void sm_coherent_store(struct sm_event *event, bool may_reorder);
void sm_coherent_rmw(struct sm_event *event, bool may_reorder);

/* Asks which of the ways it is; counts and flags stale reads. */
uint32_t sm_ways_choose(struct sm_event *event, struct sm_history *history,
                        const struct sm_ways *ways);

#endif
