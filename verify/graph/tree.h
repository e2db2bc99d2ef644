/*
 * tree.h - the graph at hand, and what is still to be explored: for the files of explore/.
 *
 * tree.c keeps what is pending, and which events of the graph at hand each thread has had in the
 * execution that replays it; grow.c adds events, and leaves pending what they might have done
 * instead.
 */
#ifndef SM_VERIFY_GRAPH_TREE_H
#define SM_VERIFY_GRAPH_TREE_H

#include "runtime/event.h"
#include "verify/graph/graph.h"

void sm_tree_start(void);      /* once */
void sm_tree_grow_start(void); /* the same, of grow.c */
/* Begins again with the empty graph. */
void sm_tree_clear(void);
/* The next graph to go on from; false: everything was explored. */
bool sm_tree_next(void);
/* What is explored so far, or pending, is set aside for a tree of its own; and back again, which
   forgets that one. */
void sm_tree_set_aside(bool on);
/* How many graphs are pending; a copy of one of them. */
uint32_t sm_tree_pending(void);
void sm_tree_copy(struct sm_graph *to, uint32_t nth);
/* This graph, which is the tree's from now on, is the next to go on from, and nothing is pending.
 */
void sm_tree_go_on(const struct sm_graph *graph);

/* Every second one of what is pending goes into a parcel, or none. */
void sm_tree_pack(struct sm_parcel *parcel);
void sm_tree_pack_nothing(struct sm_parcel *parcel);
/* What the parcel has is to be explored, and nothing else; false: it has none. */
bool sm_tree_unpack(struct sm_parcel *parcel);
/* Before each execution: which events the graph has for each thread. */
void sm_tree_begin(void);

struct sm_graph *sm_tree_graph(void);

/* The next nodes of a thread that the graph has, to look at; and the thread has had n of them. */
struct sm_node *sm_tree_peek(uint32_t thread, uint32_t nth);
void sm_tree_skip(uint32_t thread, uint32_t n);
/* The next event of a thread, if the graph has it; else SM_NO_NODE. */
uint32_t sm_tree_replay(uint32_t thread);
bool sm_tree_has_more(uint32_t thread);
/* How many events the thread has had in this execution. */
uint16_t sm_tree_position(uint32_t thread);

/* What a read-modify-write makes of a value. */
struct sm_tree_rmw {
    const struct sm_event *event; /* of memory; NULL: an object's (the node says which), or none */
    bool waits;                   /* if it cannot be done now, the thread waits */
    uint64_t state;               /* of the thread, at a read of a loop that waits (probe.h) */
};

/* The event is to go another way, later. A read: the write it reads from; a write: what it stands
   behind; a choice: the answer. `ordered`: that keeps the graph in one order (sm_axioms_order). */
void sm_tree_leave(uint32_t stamp, uint64_t way, bool ordered);
/* The same with a graph, which is the tree's from now on. */
void sm_tree_leave_graph(const struct sm_graph *graph);

/* New events (grow.c). Each answer is a stamp; a run that replays the graph is told of it by
   sm_tree_added. A write whose read-modify-write can no longer take place ends the execution:
   SM_NO_NODE. */
uint32_t sm_tree_read(const struct sm_node *node, const struct sm_tree_rmw *rmw);
uint32_t sm_tree_write(const struct sm_node *node);
uint32_t sm_tree_choice(uint32_t thread, uint32_t n, uint32_t local);
uint32_t sm_tree_other(const struct sm_node *node);
void sm_tree_added(uint32_t stamp);

#endif
