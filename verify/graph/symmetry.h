/*
 * symmetry.h - threads that are alike are explored once (`verify --symmetry`).
 *
 * Threads that one thread creates directly one after the other, with the same function and the
 * same argument, are alike: if they change places in a graph, that is a graph of the program, too,
 * in which nothing else is different. Of such graphs one is enough. Each event of a thread has a
 * place in an order that the graph has anyway: a write in the modification order of its location,
 * a read where the write stands that it reads from, a choice by its answer. The list of these
 * places, from the first event on, is the thread's, and a graph is the one to keep if the lists of
 * threads that are alike ascend in the order of their creation. (Sorting threads by their lists
 * makes exactly one such graph of each.)
 *
 * A graph that is not to be kept is not counted. One from which none can come that is to be kept is
 * not explored. A revisit may only take back what was added in the dullest way, and a write that
 * an older read reads from was not: so that write stays for ever, and all that comes before it by
 * porf. Where two lists part within what stays, and descend, the graph is dropped. So it is where a
 * later thread has taken a lock, or incremented a counter, and everything before it in modification
 * order was such a step that stays: then the earlier thread can only come after it. n threads that
 * take a lock first have 1 graph in place of n!.
 *
 * Whether threads are alike is watched: they are not if one asks who it is (pthread_self, gettid),
 * shares an address of its own stack or heap, uses a condition or a barrier, creates threads,
 * returns something that is asked for, or if its creator does anything but join the others between
 * joining two of them. When that is seen, the exploration begins again without.
 */
#ifndef SM_VERIFY_GRAPH_SYMMETRY_H
#define SM_VERIFY_GRAPH_SYMMETRY_H

#include "runtime/event.h"
#include "verify/graph/graph.h"
#include "verify/results/parcel.h"

void sm_symmetry_start(void); /* once */
/* A thread is created; or does what tells it from others. */
void sm_symmetry_created(uint32_t thread, const void *start, const void *arg);
void sm_symmetry_told_apart(uint32_t thread);
/* The thread stores what is nobody else's so far; who joins it may look at that. */
void sm_symmetry_stored(const struct sm_event *event);
/* Threads were told apart that were taken to be alike. */
bool sm_symmetry_shrank(void);
void sm_symmetry_settle(void);

/* Nothing that is to be kept can come of this graph. */
bool sm_symmetry_is_vain(const struct sm_graph *graph);
/* An execution has ended with this graph: it is the one to keep. */
bool sm_symmetry_keeps(const struct sm_graph *graph);

void sm_symmetry_pack(struct sm_parcel *parcel);
void sm_symmetry_unpack(struct sm_parcel *parcel);

#endif
