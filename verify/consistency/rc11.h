/* rc11.h - RC11 (Lahav et al., 2017) on a graph: for axioms.c alone. */
#ifndef SM_VERIFY_CONSISTENCY_RC11_H
#define SM_VERIFY_CONSISTENCY_RC11_H

#include "verify/graph/graph.h"

/* Two words for each node; what is marked has this epoch in the first. */
struct sm_marks {
    uint32_t *at;
    uint32_t epoch;
};

/* Coherence: see sm_axioms_bound. Nothing is marked at first. */
uint32_t sm_rc11_bound(const struct sm_graph *graph, uint32_t access, uint32_t other,
                       struct sm_marks marks);
/* The partial order of seq_cst events (psc) has no circle. */
bool sm_rc11_sc_holds(struct sm_graph *graph);
/* Program order, reads-from, modification order and from-read have no circle: then it holds. */
bool sm_rc11_is_sequential(const struct sm_graph *graph);
/* Program order and reads-from, with modification order and from-read from accesses that are not
   lied about, have no circle: there is an order of execution in which each of those reads, or is,
   the newest write. */
bool sm_rc11_is_partly_sequential(const struct sm_graph *graph);

#endif
