/*
 * revisit.h - backward revisits: a new write is read by existing reads. For step.c only.
 *
 * A read that is not in the porf-prefix of the write may read from it. Events added after that
 * read that are not in the prefix are deleted; they will be added again. Deleted events must be a
 * maximal extension: each read reads the modification-order maximal write, each write is maximal,
 * among the events before it or in the prefix. Of all graphs from which a revisit leads to the
 * same graph, exactly one is maximal in this sense, so each graph is made once (TruSt, section 4).
 */
#ifndef SM_VERIFY_GRAPH_REVISIT_H
#define SM_VERIFY_GRAPH_REVISIT_H

#include "verify/graph/step.h"

/* Upper bound of the writes of one location, and so of the alternatives of an event. */
enum { SM_MAX_CONTINUATIONS = 1 << 20 };

/* Pushes a graph for each read that the write, the last event, may revisit, and each place that the
   write may take there. */
void sm_revisit(struct sm_stepper *stepper, uint32_t write);

/* The places a write may take, into stepper->places: its predecessors in modification order, newest
   first. `other`: see sm_axioms_bound. Returns how many. */
uint32_t sm_revisit_places(struct sm_stepper *stepper, const struct sm_graph *graph, uint32_t write,
                           uint32_t other);
/* Takes the write, the last event, out of modification order. */
void sm_revisit_unplace(struct sm_graph *graph, uint32_t write);

#endif
