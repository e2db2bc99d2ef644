/*
 * coherent.h - accesses with RC11's per-location coherence.
 *
 * The stores of a location have one modification order, which every thread respects: what
 * it reads or stores lies behind every store it knows of, and behind every store that
 * somebody it knows of has read. A new store need not come last in that order.
 */
#ifndef SM_COHERENT_H
#define SM_COHERENT_H

#include "history.h"

/* The access may see or be any legal store; else (not lied about) it is the newest. */
void sm_coherent_load(struct sm_event *event);
void sm_coherent_store(struct sm_event *event, bool may_reorder);
void sm_coherent_rmw(struct sm_event *event, bool may_reorder);

enum { SM_MAX_CANDIDATES = 256 };

/* One way a load could turn out. */
struct sm_candidate {
    uint32_t position; /* of its newest store in the history */
    uint64_t value;    /* as the event will have it */
};

/* Asks which; counts and flags stale reads. candidates[0] is the newest. */
uint32_t sm_candidates_choose(struct sm_event *event, struct sm_history *history,
                              const struct sm_candidate *candidates, uint32_t n);

#endif
