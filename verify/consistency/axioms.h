/*
 * axioms.h - which graphs are executions of a model?
 *
 * Every model here has a total modification order for each location, forbids cycles of
 * program order and reads-from, and lets a new event always read, or be, the newest write.
 * So what a new event may do is a suffix of the modification order of its location: after
 * the last write it must know of. sm_axioms_bound finds that write. For c11 that is exact
 * but for the order of seq_cst events, which sm_axioms_hold decides on the whole graph.
 *
 * A model may be partial: only accesses of some sites are weak, and all others sequentially
 * consistent (hunt: lies about one variable). Then under tso and pso the other writes land as they
 * execute, and under c11 program order, reads-from, and modification order and from-read from the
 * other accesses have no cycle (rc11.h).
 */
#ifndef SM_VERIFY_CONSISTENCY_AXIOMS_H
#define SM_VERIFY_CONSISTENCY_AXIOMS_H

#include "verify/graph/graph.h"

/* A model, and scratch memory for its searches. Lives in the pool: it need not be made again for
   each execution. */
struct sm_axioms {
    uint64_t model;    /* one of SM_MODEL_SC, _TSO, _PSO, _C11 */
    bool partial;      /* accesses of some sites only are weak (SM_LIE_LIST) */
    uint32_t capacity; /* nodes */
    uint32_t epoch, n;
    uint32_t *seen;  /* two for each node: executes, lands */
    uint32_t *stack; /* 2 * node + (lands ? 1 : 0) */
    uint32_t loc_capacity;
    uint32_t *newest; /* of each location: the newest write that was reached */
};
struct sm_axioms *sm_axioms_new(uint64_t model);

/* Last write, in modification order, of the location of `access` that must come before it
   (or be what it reads); SM_NO_NODE if there is none. The access is the last of its thread
   and has no part in modification order yet. `other`, if not SM_NO_NODE, is one more access
   of which the same is true: a write and the read it revisits have one bound. */
uint32_t sm_axioms_bound(struct sm_axioms *axioms, const struct sm_graph *graph, uint32_t access,
                         uint32_t other);

/* The same if everything happened in one order: what sc says, in any model. */
uint32_t sm_axioms_sequential_bound(struct sm_axioms *axioms, const struct sm_graph *graph,
                                    uint32_t access, uint32_t other);

/* The model allows the graph, given that each event respected its bound. */
bool sm_axioms_hold(const struct sm_axioms *axioms, struct sm_graph *graph);
/* There is more to it than bounds. */
bool sm_axioms_has_order(const struct sm_axioms *axioms, const struct sm_graph *graph);
/* c11, with seq_cst events: a graph all of which can happen in one order needs no further look,
   and stays one if the event that is added respects the bound of sc. The options of the access,
   which is the last event and reads, or is, the newest write for now, are given from the newest on:
   returns how many of the first keep the graph in order. */
uint32_t sm_axioms_order(struct sm_axioms *axioms, struct sm_graph *graph, uint32_t access,
                         const uint32_t *options, uint32_t n);

/* tso, pso: a write lands as it executes. */
bool sm_axioms_lands_at_once(const struct sm_axioms *axioms, const struct sm_node *write);
/* tso, pso: what must come directly before a moment (axioms.c). Moments are numbered 2 * stamp,
   and one more for landing. Returns how many; valid until the next call. */
uint32_t sm_axioms_before(struct sm_axioms *axioms, const struct sm_graph *graph, uint32_t moment,
                          const uint32_t **moments);

#endif
