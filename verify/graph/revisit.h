/*
 * revisit.h - a new write is read by reads that were there before it: for grow.c.
 *
 * A read that does not depend on the write may read from it. What came after that read, and what
 * the write does not need, is taken back; it will come again. Everything that is taken back must
 * have been added in the dullest way (a read that read the newest write, a write that became it),
 * seen from then or without it: of the graphs from which one and the same graph could be made so,
 * exactly one is dull in that sense, and so each graph is made once.
 */
#ifndef SM_VERIFY_GRAPH_REVISIT_H
#define SM_VERIFY_GRAPH_REVISIT_H

#include "verify/graph/graph.h"

/* More ways than that a location with as many writes would have. */
enum { SM_MAX_WAYS = 1 << 20 };

/* Leaves a graph for each read that the write, which is the last event, may revisit, and each
   place that it may take there. `places` is room for them. */
void sm_revisit(uint32_t write, uint32_t *places);

/* The places a write may take: what it stands behind, newest first. `other`: see sm_axioms_bound.
   Returns how many. */
uint32_t sm_revisit_places(const struct sm_graph *graph, uint32_t write, uint32_t other,
                           uint32_t *places);
/* The write, which is the last event, has no place any more. */
void sm_revisit_unplace(struct sm_graph *graph, uint32_t write);

#endif
