/*
 * order.h - a total order in which the events of a graph can happen.
 *
 * A script needs one, to run an execution again (run/script.h). And where several events are one
 * atomic step, a graph is an execution only if there is one: the stepper adds single events, and
 * makes graphs that have none. They are dropped when they are complete, not before: a revisit that
 * deletes a part of such a graph may leave one that is an execution, and that is reached in no
 * other way.
 *
 * A step of several events is an atomic block of SV-COMP (sc, tso, pso), or an access that is in
 * pieces, because others access a part of its bytes (share.h).
 */
#ifndef SM_VERIFY_GRAPH_ORDER_H
#define SM_VERIFY_GRAPH_ORDER_H

#include "verify/graph/graph.h"

void sm_order_start(void); /* once */

/* Puts the moments of a graph (axioms.h) in order; there is room for 2 * n of them. Returns how
   many there are; 0: there is no order. `first`, `second`: what is porf-before these two comes
   before all else, then the second; SM_NO_NODE: there are no such. */
uint32_t sm_order_find(const struct sm_graph *graph, uint32_t first, uint32_t second,
                       uint32_t *moments);

/* The program has atomic blocks; accesses in pieces. */
void sm_order_has_steps(void);
void sm_order_has_pieces(void);
/* The graph is an execution, as far as steps go. */
bool sm_order_allows(const struct sm_graph *graph);
/* A thread has begun an atomic block and not ended it: it waits there. A block begins when it can
   be done, so this is no deadlock. */
bool sm_order_is_inside(const struct sm_graph *graph);

#endif
