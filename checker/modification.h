/*
 * modification.h - one order of all stores to each location.
 *
 * The trace does not contain it, because the program cannot observe it: an execution is
 * legal if some modification order makes it so. Reads-from and happens-before determine most
 * of it: if an access a happens before an access b of the same cell, the store that a wrote
 * or read precedes, or is, the store that b wrote or read. These constraints, with every RMW
 * glued to the store it reads from, have a linear extension iff coherence and atomicity can
 * hold. The extension nearest to trace order is taken. seqcst.c checks whether it satisfies
 * psc; if not, seqcst.c returns pairs of stores at least one of which must be reversed, and
 * the search continues with these.
 */
#ifndef SM_CHECKER_MODIFICATION_H
#define SM_CHECKER_MODIFICATION_H

#include "checker/chains.h"

/* Store `from` comes before store `to`, because of the accesses a and b. */
struct sm_mo_edge {
    uint32_t from, to, a, b;
};

typedef SM_VECTOR(struct sm_mo_edge) sm_mo_edges;

struct sm_modification {
    struct sm_execution *x;
    struct sm_chains coherent; /* accesses constrained by coherence */
    uint32_t *by_location;     /* coherent events, by location, in the order of the trace */
    uint32_t *location_first;  /* by location (a cell number) */
    uint32_t *position;        /* by event, for stores: position in the location's order */
    sm_mo_edges decided;       /* by the search, the newest last */
    bool in_trace_order;       /* mo is trace order, and every read is of the newest store */
};

/* False when no order exists; the verdict says why. */
bool sm_modification_start(struct sm_modification *m);
/* Orders one location again, after `decided` has changed. */
bool sm_modification_order(struct sm_modification *m, uint32_t location);
void sm_modification_free(struct sm_modification *m);

/* The part of a store between the read and the write of the RMW that p is a part of, or SM_NONE. */
uint32_t sm_mo_between(const struct sm_execution *x, uint32_t p);

/* True if psc is acyclic. Otherwise writes the verdict, and to `reversals` pairs of stores: every
   modification order with acyclic psc reverses at least one. */
bool sm_check_seq_cst(struct sm_execution *x, sm_mo_edges *reversals);

#endif
