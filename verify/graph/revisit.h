/*
 * revisit.h - a new write is read by reads that were there before it: for step.c.
 *
 * A read that does not depend on the write may read from it (a backward revisit). What was added
 * after that read, and is not in the porf-prefix of the write, is deleted; it will come again.
 * Deleted events must be a maximal extension: each read reads the modification-order maximal write,
 * each write is maximal, among the events before it or in the prefix. Of the graphs from which one
 * and the same graph could be made so, exactly one is maximal in that sense, and so each graph is
 * made once (TruSt, section 4).
 */
#ifndef SM_VERIFY_GRAPH_REVISIT_H
#define SM_VERIFY_GRAPH_REVISIT_H

#include "verify/graph/step.h"

/* A location with as many writes has no more continuations than that. */
enum { SM_MAX_CONTINUATIONS = 1 << 20 };

/* Pushes a graph for each read that the write, which is the last event, may revisit, and each
   place that it may take there. */
void sm_revisit(struct sm_stepper *stepper, uint32_t write);

/* The places a write may take, into stepper->places: its predecessors in modification order, newest
   first. `other`: see sm_axioms_bound. Returns how many. */
uint32_t sm_revisit_places(struct sm_stepper *stepper, const struct sm_graph *graph, uint32_t write,
                           uint32_t other);
/* The write, which is the last event, has no place any more. */
void sm_revisit_unplace(struct sm_graph *graph, uint32_t write);

#endif
