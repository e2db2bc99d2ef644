/*
 * psc.h - RC11's psc (partial SC order) on one graph.
 *
 *   scb   = po | (po|!=loc ; hb ; po|!=loc) | hb|loc | mo | fr
 *   psc_base = ([E_sc] | [F_sc] ; hb?) ; scb ; ([E_sc] | hb? ; [F_sc])
 *   psc_F = [F_sc] ; (hb | hb ; eco ; hb) ; [F_sc]
 *
 * A graph is consistent only if psc_base | psc_F is acyclic (Lahav et al., Repairing Sequential
 * Consistency in C/C++11, PLDI 2017). Relations are bit matrices, so composing them costs n/64
 * words a row: one word for graphs of up to 64 events. They are rebuilt for each graph.
 */
#ifndef SM_VERIFY_CONSISTENCY_PSC_H
#define SM_VERIFY_CONSISTENCY_PSC_H

#include "verify/graph/graph.h"

bool sm_psc_is_acyclic(const struct sm_graph *graph);

/* A seq_cst access or fence. */
bool sm_psc_has(const struct sm_node *node);

#endif
