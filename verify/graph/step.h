/*
 * step.h - adds one event to a graph, wherever it comes from: a run of the program (run.h), the
 * tree of a thread (trees/walk.h), or a test.
 *
 * A new read may read from each write that the model allows, a new write may take each place in
 * modification order that it allows, and may be read by reads that are there already (revisit.h).
 * The stepper takes the first of these and pushes the others to the frontier. An event is given in
 * the form of the trees (trees/local.h); its nodes are made here. A read-modify-write, and an
 * operation on an object, is a read and, if it succeeds, a write directly after it.
 *
 * A stepper is independent of the program's threads, of its memory and of the trees.
 */
#ifndef SM_VERIFY_GRAPH_STEP_H
#define SM_VERIFY_GRAPH_STEP_H

#include "abi/choice.h"
#include "core/objects/objects.h"
#include "verify/consistency/axioms.h"
#include "verify/graph/frontier.h"
#include "verify/trees/local.h"

struct sm_stepper {
    struct sm_frontier *frontier;
    struct sm_axioms *axioms;
    struct sm_symmetry *symmetry; /* NULL: each graph for itself */
    /* NULL: exhaustive. Else one execution is made: picks one of n alternatives; of a choice
       (SM_PURPOSE_USER), which has no options, the answer. */
    uint32_t (*choose)(enum sm_purpose purpose, const uint32_t *options, uint32_t n);
    /* NULL: every event is new. Else, in a run that follows a graph: the node of the event if the
       graph has it, or SM_NO_NODE; and what is called for an added node. */
    uint32_t (*replay)(const struct sm_node *node);
    void (*added)(uint32_t stamp);

    bool sequential; /* reads see the newest write, writes become it (preempt.h) */
    bool gives_last; /* the event releases an object that all others wait for (objects.h) */
    bool blocked;    /* a thread waits for an object */
    bool impossible; /* a signal waits for a thread that never waits: not an execution */

    /* Scratch: the writes the current read may read from, the places of the write; the first
       n_ordered keep the graph sequentially consistent. */
    uint32_t *sources, *places;
    uint32_t n_ordered;
};

void sm_stepper_init(struct sm_stepper *stepper, struct sm_frontier *frontier,
                     struct sm_axioms *axioms);

static inline struct sm_graph *sm_step_graph(const struct sm_stepper *stepper)
{
    return sm_frontier_graph(stepper->frontier);
}

struct sm_new_event {
    uint32_t thread;
    uint32_t local; /* its number in the tree of the thread; 0: not known */
    const struct sm_local *event;
    uint64_t state; /* read of a spin loop: state of the thread (probe.h); 0: not in a loop */

    /* Results. */
    uint32_t stamp;    /* its read, or its only node */
    uint32_t write;    /* its write, or SM_NO_NODE */
    enum sm_step step; /* read-modify-writes, operations on objects */
    uint64_t answer;   /* what the thread is told; 0 also where the caller knows it */
};

enum sm_step_end {
    SM_STEP_ADDED,
    SM_STEP_BLOCKED, /* it has read, and waits for another state of the object */
    SM_STEP_PRUNED,  /* the graph leads to nothing that is not reached otherwise */
};
enum sm_step_end sm_graph_step(struct sm_stepper *stepper, struct sm_new_event *new);
/* Continues from the read of a read-modify-write, or of an operation, that is in the graph. */
enum sm_step_end sm_graph_step_finish(struct sm_stepper *stepper, struct sm_new_event *new);

/* Single nodes. How a read continues, unless it is a plain one: */
struct sm_step_read {
    const struct sm_local *rmw; /* or NULL */
    bool waits;                 /* if the object's state does not allow the operation, the thread
                                   waits */
    uint64_t state;             /* see struct sm_new_event */
};
uint32_t sm_step_read(struct sm_stepper *stepper, const struct sm_node *node,
                      const struct sm_step_read *how);
/* SM_NO_NODE: no place is allowed. */
uint32_t sm_step_write(struct sm_stepper *stepper, const struct sm_node *node);

#endif
