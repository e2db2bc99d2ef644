/* rc11.h - RC11 (Lahav et al., 2017) on a graph: for axioms.c alone. */
#ifndef SM_VERIFY_CONSISTENCY_RC11_H
#define SM_VERIFY_CONSISTENCY_RC11_H

#include "verify/graph/graph.h"

/* Two words for each node; a marked node has this epoch in the first. */
struct sm_marks {
    uint32_t *at;
    uint32_t epoch;
};

/* Coherence: see sm_axioms_bound. No node is marked with marks.epoch yet. */
uint32_t sm_rc11_bound(const struct sm_graph *graph, uint32_t access, uint32_t other,
                       struct sm_marks marks);
/* psc is acyclic. */
bool sm_rc11_sc_holds(struct sm_graph *graph);
/* po, rf, mo and fr are acyclic, which implies that psc is. */
bool sm_rc11_is_sequential(const struct sm_graph *graph);
/* po and rf, with mo and fr from strong accesses (axioms.h), are acyclic: there is an execution
   order in which each strong access reads from, or is, the newest write. */
bool sm_rc11_is_partly_sequential(const struct sm_graph *graph);

#endif
