/*
 * psc.h - RC11's partial order of seq_cst events, on one graph.
 *
 *   scb   = po | (po|!=loc ; hb ; po|!=loc) | hb|loc | mo | fr
 *   psc_base = ([E_sc] | [F_sc] ; hb?) ; scb ; ([E_sc] | hb? ; [F_sc])
 *   psc_F = [F_sc] ; (hb | hb ; eco ; hb) ; [F_sc]
 *
 * A graph is consistent only if psc_base | psc_F is acyclic (Lahav et al., Repairing Sequential
 * Consistency in C/C++11, PLDI 2017). Everything is a row of bits for each event, so that composing
 * relations costs n/64 words a row. Built anew for each graph that is asked about: graphs of up to
 * 64 events take one word a row.
 */
#ifndef SM_VERIFY_CONSISTENCY_PSC_H
#define SM_VERIFY_CONSISTENCY_PSC_H

#include "verify/graph/graph.h"

bool sm_psc_is_acyclic(const struct sm_graph *graph);

/* seq_cst: an access or a fence. */
bool sm_psc_has(const struct sm_node *node);

#endif
