/*
 * modification.h - one order of all stores to each location.
 *
 * The trace does not say it, because the program cannot see it: an execution is legal if
 * some modification order makes it so. Reads-from and happens-before force most of it: if
 * an access a happens before an access b of the same cell, what a wrote or saw comes before
 * what b wrote or saw, or is the same. These constraints, with every RMW glued to the store
 * it reads from, have a linear extension exactly when coherence and atomicity can be had.
 * The extension nearest to the order of execution is taken. Whether it also suits the
 * seq_cst operations is seqcst.c's question; if not, it names pairs of stores one of which
 * must be reversed, and the search continues with that.
 */
#ifndef SM_CHECKER_MODIFICATION_H
#define SM_CHECKER_MODIFICATION_H

#include "checker/chains.h"

/* Store `from` comes before store `to`, because of what the accesses a and b saw. */
struct sm_mo_edge {
    uint32_t from, to, a, b;
};

typedef SM_VECTOR(struct sm_mo_edge) sm_mo_edges;

struct sm_modification {
    struct sm_execution *x;
    struct sm_chains coherent; /* accesses that coherence constrains */
    uint32_t *by_location;     /* coherent events, by location, in the order of the trace */
    uint32_t *location_first;  /* by location (a cell number) */
    uint32_t *position;        /* by event: stores: place within the location's order */
    sm_mo_edges decided;       /* by the search, the newest last */
    bool in_trace_order;       /* every store newest when made, every read of the newest */
};

/* False when no order is possible; the verdict says why. */
bool sm_modification_start(struct sm_modification *m);
/* Orders one location again, after `decided` has changed. */
bool sm_modification_order(struct sm_modification *m, uint32_t location);
void sm_modification_free(struct sm_modification *m);

/* The part of a store that comes between the read and the write of the RMW whose part p is, or
   SM_NONE. */
uint32_t sm_mo_between(const struct sm_execution *x, uint32_t p);

/* True when the seq_cst operations can be ordered. Otherwise writes the verdict, and to
   `reversals` pairs of stores: every modification order that suits reverses at least one. */
bool sm_check_seq_cst(struct sm_execution *x, sm_mo_edges *reversals);

#endif
