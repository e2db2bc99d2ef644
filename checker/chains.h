/*
 * chains.h - for each cell and thread, its accesses there in program order.
 *
 * A thread's accesses of a cell that happen before an event are a prefix of a chain, whose
 * last element is found by bisection. Axioms about one location need only that element,
 * because the earlier ones precede it in program order.
 */
#ifndef SM_CHECKER_CHAINS_H
#define SM_CHECKER_CHAINS_H

#include "checker/happens.h"

struct sm_chain {
    uint32_t thread;
    uint32_t first, n; /* in parts */
};

struct sm_chains {
    struct sm_chain *chains;
    uint32_t *parts;      /* numbers of parts, by cell, thread, time */
    uint32_t *cell_first; /* chains of cell c: [cell_first[c], cell_first[c + 1]) */
    uint32_t *position;   /* by part: its index in parts, or SM_NONE */
};

/* Of the accesses with one of the bits of `is`. */
void sm_chains_build(const struct sm_execution *x, uint8_t is, struct sm_chains *chains);
void sm_chains_free(struct sm_chains *chains);

/* The last part of the chain that happens before the event, excluding the event itself;
   SM_NONE if there is none. */
uint32_t sm_chain_last(const struct sm_execution *x, const struct sm_chains *chains,
                       const struct sm_chain *chain, uint32_t event);

#endif
