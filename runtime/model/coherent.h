/*
 * coherent.h - accesses with RC11's per-location coherence.
 *
 * The stores of a location have one modification order, which every thread respects: what it reads
 * or stores is not mo-before any store that happens before, nor before one that was read by a read
 * that happens before. A new store need not be the last in that order.
 */
#ifndef SM_RUNTIME_MODEL_COHERENT_H
#define SM_RUNTIME_MODEL_COHERENT_H

#include "runtime/model/history.h"

/* A weak access (SM_RECORD_LIED) may see, or be placed at, any legal store; others are the newest.
 */
void sm_coherent_load(struct sm_event *event);
void sm_coherent_store(struct sm_event *event, bool may_reorder);
void sm_coherent_rmw(struct sm_event *event, bool may_reorder);

/* Chooses one of the alternatives; counts and flags stale reads. */
uint32_t sm_ways_choose(struct sm_event *event, struct sm_history *history,
                        const struct sm_ways *ways);

#endif
