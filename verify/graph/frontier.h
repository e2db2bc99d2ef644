/*
 * frontier.h - the current graph, and what is still to be explored.
 *
 * The frontier is a stack. An entry is one word for an alternative of an event (another write to
 * read from, another place in modification order, another answer of a choice) or for a thread that
 * is to add the next event (preempt.h), or a whole graph for a revisit. The search is depth first:
 * the entries of a graph are popped before the graph from which it was revisited continues.
 */
#ifndef SM_VERIFY_GRAPH_FRONTIER_H
#define SM_VERIFY_GRAPH_FRONTIER_H

#include "verify/graph/graph.h"

struct sm_pending; /* an entry */

struct sm_frontier {
    struct sm_pending *pending;
    uint32_t n_pending, pending_capacity;
    struct sm_graph *graphs; /* [0] grew by itself, each other from a revisit of one below */
    uint32_t depth, graph_capacity;
    struct sm_graph *now; /* the current graph: graphs[depth] */
    struct sm_turn {      /* of the entry that was popped: sm_frontier_push_turn */
        uint32_t thread;  /* SM_NO_NODE: an entry of another kind */
        uint32_t used;
    } turn;
};

/* An empty graph, and nothing pending. */
void sm_frontier_init(struct sm_frontier *frontier);
void sm_frontier_free(struct sm_frontier *frontier);
void sm_frontier_clear(struct sm_frontier *frontier);

static inline struct sm_graph *sm_frontier_graph(const struct sm_frontier *frontier)
{
    return frontier->now;
}

/* Adds an alternative of the event. A read: the write it reads from; a write: its predecessor in
   modification order; a choice: the answer. `ordered`: this keeps the graph sequentially consistent
   (sm_axioms_order). */
void sm_frontier_push(struct sm_frontier *frontier, uint32_t stamp, uint64_t way, bool ordered);
/* This thread is to add the event after the current graph, later; `used`: preemptions by then. */
void sm_frontier_push_turn(struct sm_frontier *frontier, uint32_t thread, uint32_t used);
/* Adds a graph, which the frontier then owns. */
void sm_frontier_push_graph(struct sm_frontier *frontier, const struct sm_graph *graph);
/* The next graph to continue from; false: everything was explored. */
bool sm_frontier_pop(struct sm_frontier *frontier);
/* Makes this graph, which the frontier then owns, the next one, with nothing else pending. */
void sm_frontier_restart(struct sm_frontier *frontier, const struct sm_graph *graph);
/* A copy of the graph that the nth pending entry from the bottom leads to. */
void sm_frontier_copy(const struct sm_frontier *frontier, struct sm_graph *to, uint32_t nth);

/* Packs every second entry into a parcel, and removes it; or a copy of each; or none. */
void sm_frontier_pack(struct sm_frontier *frontier, struct sm_parcel *parcel);
void sm_frontier_pack_copy(const struct sm_frontier *frontier, struct sm_parcel *parcel);
void sm_frontier_pack_nothing(struct sm_parcel *parcel);
/* Replaces the pending entries by those of the parcel; false: it has none. */
bool sm_frontier_unpack(struct sm_frontier *frontier, struct sm_parcel *parcel);

#endif
