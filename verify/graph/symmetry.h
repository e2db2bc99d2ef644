/*
 * symmetry.h - symmetric threads: one execution of each class (`verify --symmetry`).
 *
 * Threads that one thread creates directly one after the other, with the same function and the
 * same argument, are symmetric: exchanging them in a graph of the program gives a graph of the
 * program that differs in nothing else. One graph of each class is enough. Each event of a thread
 * has a place in an order that the graph has anyway: a write in the modification order of its
 * location, a read where the write stands that it reads from, a choice by its answer. A thread's
 * list is these places, from its first event on. A graph is canonical if the lists of symmetric
 * threads ascend in the order of their creation. (Sorting threads by their lists makes exactly one
 * canonical graph of each class.)
 *
 * A graph that is not canonical is not counted. One from which no canonical graph can come is not
 * explored. A revisit may only delete a maximal extension, and a write that an older read reads
 * from is not part of one: so that write is permanent, and so is its porf-prefix. Where two lists
 * first differ within what is permanent, and descend, the graph is dropped. So it is where a later
 * thread has taken a lock, or incremented a counter, and everything before it in modification order
 * was such a step that is permanent: then the earlier thread can only come after it. n threads that
 * take a lock first have 1 graph in place of n!.
 *
 * Symmetry is checked as the program runs. It is broken if a thread asks for its identity
 * (pthread_self, gettid), shares an address of its own stack or heap, uses a condition or a
 * barrier, creates threads, returns something that is asked for, or if its creator does anything
 * but join the others between joining two of them. Then the exploration begins again without.
 */
#ifndef SM_VERIFY_GRAPH_SYMMETRY_H
#define SM_VERIFY_GRAPH_SYMMETRY_H

#include "runtime/event.h"
#include "verify/graph/graph.h"
#include "verify/results/parcel.h"

void sm_symmetry_start(void); /* once */
/* A thread is created; or does what distinguishes it from others. */
void sm_symmetry_created(uint32_t thread, const void *start, const void *arg);
void sm_symmetry_break(uint32_t thread);
/* The thread stores to memory that is private so far; the thread that joins it may read that. */
void sm_symmetry_stored(const struct sm_event *event);
/* Threads that were taken to be symmetric are not. */
bool sm_symmetry_broke(void);
void sm_symmetry_settle(void);

/* No canonical graph can come of this graph. */
bool sm_symmetry_excludes(const struct sm_graph *graph);
/* An execution has ended with this graph: it is the canonical one of its class. */
bool sm_symmetry_is_canonical(const struct sm_graph *graph);

void sm_symmetry_pack(struct sm_parcel *parcel);
void sm_symmetry_unpack(struct sm_parcel *parcel);

#endif
