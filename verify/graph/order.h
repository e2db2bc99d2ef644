/*
 * order.h - a total order in which the events of a graph can happen.
 *
 * A script needs one to run an execution again (run/script.h). And where several events are one
 * atomic step, a graph is an execution only if such an order exists: the stepper adds single
 * events, and also makes graphs that have none. These are dropped only when complete: a revisit
 * that deletes a part of such a graph may leave an execution that is reached in no other way.
 *
 * A step of several events is an atomic block of SV-COMP (sc, tso, pso), or an access split into
 * pieces because others access a part of its bytes (share.h).
 */
#ifndef SM_VERIFY_GRAPH_ORDER_H
#define SM_VERIFY_GRAPH_ORDER_H

#include "verify/graph/graph.h"

void sm_order_start(void); /* once */

/* Puts the moments of a graph (axioms.h) in order, into room for 2 * n of them. Returns how many
   there are; 0: no order exists. `first`, `second`, if not SM_NO_NODE: the porf-prefixes of these
   two come before all else, then the second. */
uint32_t sm_order_find(const struct sm_graph *graph, uint32_t first, uint32_t second,
                       uint32_t *moments);

/* Marks the moments that come before event `e` executes in every order in which the graph can
   happen, and that one: sets past[moment], of 2 * n. */
void sm_order_past(const struct sm_graph *graph, uint32_t e, bool *past);

/* The program has atomic blocks; accesses in pieces. */
void sm_order_has_steps(void);
void sm_order_has_pieces(void);
/* The graph is an execution as far as atomic steps are concerned. */
bool sm_order_allows(const struct sm_graph *graph);
/* A thread is blocked inside an atomic block. A block begins only when it can be completed, so this
   is not a deadlock. */
bool sm_order_is_inside(const struct sm_graph *graph);

#endif
