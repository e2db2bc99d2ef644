/*
 * axioms.h - which graphs are executions of a model?
 *
 * Every model here has a total modification order for each location, forbids cycles of program
 * order and reads-from, and always lets a new read read from the newest write and a new write be
 * the newest. So the choices of a new event are a suffix of the modification order of its
 * location, from the last write that must precede it on. sm_axioms_bound finds that write. For c11
 * this is exact except for psc, the order of seq_cst events, which sm_axioms_hold checks on the
 * whole graph.
 *
 * A model may be partial: only accesses of some sites are weak, and all others sequentially
 * consistent (hunt: stale values of one variable only). Then under tso and pso the strong writes
 * land as they execute, and under c11 program order, reads-from, and modification order and
 * from-read of the strong accesses have no cycle (rc11.h).
 */
#ifndef SM_VERIFY_CONSISTENCY_AXIOMS_H
#define SM_VERIFY_CONSISTENCY_AXIOMS_H

#include "verify/graph/graph.h"

/* A model, and scratch memory for its searches. Allocated in the pool, so it survives executions.
 */
struct sm_axioms {
    uint64_t model;    /* one of SM_MODEL_SC, _TSO, _PSO, _C11 */
    bool partial;      /* only accesses of some sites are weak (SM_LIE_LIST) */
    uint32_t capacity; /* nodes */
    uint32_t epoch, n;
    uint32_t *seen;  /* two for each node: executes, lands */
    uint32_t *stack; /* 2 * node + (lands ? 1 : 0) */
    uint32_t loc_capacity;
    uint32_t *newest; /* of each location: the newest write that was reached */
};
struct sm_axioms *sm_axioms_new(uint64_t model);

/* The mo-last write of the location of `access` that must come before it (or be what it reads);
   SM_NO_NODE if there is none. The access is the last of its thread and not in modification order
   yet. `other`, if not SM_NO_NODE, is a second such access: a write and the read it revisits have
   one bound. */
uint32_t sm_axioms_bound(struct sm_axioms *axioms, const struct sm_graph *graph, uint32_t access,
                         uint32_t other);

/* The same bound under sc, whatever the model. */
uint32_t sm_axioms_sequential_bound(struct sm_axioms *axioms, const struct sm_graph *graph,
                                    uint32_t access, uint32_t other);

/* The model allows the graph, provided that each event respected its bound. */
bool sm_axioms_hold(const struct sm_axioms *axioms, struct sm_graph *graph);
/* The model has a condition beyond the bounds (psc, or partial). */
bool sm_axioms_has_order(const struct sm_axioms *axioms, const struct sm_graph *graph);
/* c11, with seq_cst events: an event that respects the bound of sc adds no cycle of po, rf, mo and
   fr. So a sequentially consistent graph stays that; and any graph that the model allows is still
   allowed, and needs no psc check. `access` is the last event and for now reads from, or is, the
   newest write; its options are given newest first. Returns how many, from the first on, respect
   that bound. */
uint32_t sm_axioms_order(struct sm_axioms *axioms, struct sm_graph *graph, uint32_t access,
                         const uint32_t *options, uint32_t n);

/* tso, pso: the write lands as it executes. */
bool sm_axioms_lands_at_once(const struct sm_axioms *axioms, const struct sm_node *write);
/* tso, pso: the immediate predecessors of a moment (axioms.c). Moment 2 * stamp is the execution of
   an event, 2 * stamp + 1 its landing. Returns how many; valid until the next call. */
uint32_t sm_axioms_before(struct sm_axioms *axioms, const struct sm_graph *graph, uint32_t moment,
                          const uint32_t **moments);

#endif
