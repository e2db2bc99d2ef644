/*
 * symmetry.h - symmetric threads: one execution of each class (`verify --symmetry`).
 *
 * Threads that one thread creates directly one after the other, with the same function and the
 * same argument, are symmetric: exchanging them in a graph of the program gives another graph of
 * the program. One graph of each symmetry class is enough. Each event has a position in an order
 * that the graph already has: a write in the modification order of its location, a read that of
 * the write it reads from, a choice its answer. A thread's list is the positions of its events in
 * program order. A graph is canonical if the lists of symmetric threads ascend in the order of
 * their creation. (Sorting the threads by their lists gives exactly one canonical graph for each
 * class.)
 *
 * A graph that is not canonical is not counted. One without canonical descendants is not explored.
 * A revisit may only delete a maximal extension, and a write that an older read reads from is not
 * part of one: so that write is permanent, and so is its porf-prefix. If two lists first differ
 * within permanent events, and descend, the graph is dropped. It is also dropped if a later thread
 * has taken a lock, or incremented a counter, and everything before that in modification order was
 * such a permanent step: then the earlier thread can only come after it. n threads that take a
 * lock first have 1 graph in place of n!.
 *
 * Symmetry is checked as the program runs. It is broken if a thread asks for its identity
 * (pthread_self, gettid), shares an address of its own stack or heap, uses a condition or a
 * barrier, creates threads, returns a value that is used, or if its creator does anything but join
 * the others between joining two of them. Then the exploration restarts without it.
 */
#ifndef SM_VERIFY_GRAPH_SYMMETRY_H
#define SM_VERIFY_GRAPH_SYMMETRY_H

#include "runtime/event.h"
#include "verify/graph/graph.h"
#include "verify/results/parcel.h"

void sm_symmetry_start(void); /* once */
/* A thread is created; a thread does something that distinguishes it. */
void sm_symmetry_created(uint32_t thread, const void *start, const void *arg);
void sm_symmetry_break(uint32_t thread);
/* The thread stores to memory that is private so far; a thread that joins it may read that. */
void sm_symmetry_stored(const struct sm_event *event);
/* Threads that were assumed symmetric are not. */
bool sm_symmetry_broke(void);
void sm_symmetry_settle(void);

/* The graph has no canonical descendant. */
bool sm_symmetry_excludes(const struct sm_graph *graph);
/* The graph of an execution that has ended is the canonical one of its class. */
bool sm_symmetry_is_canonical(const struct sm_graph *graph);

void sm_symmetry_pack(struct sm_parcel *parcel);
void sm_symmetry_unpack(struct sm_parcel *parcel);

#endif
