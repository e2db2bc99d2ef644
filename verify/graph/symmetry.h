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
 * The size of a class. Of the k! ways to exchange k symmetric threads those lead to the same graph
 * that exchange threads with equal lists, and no others: a write is at one position only, so a
 * thread with a write has a list of its own; and threads without one that read the same writes are
 * read by nobody. A class has k!/(m1! m2! ...) graphs, for m1, m2, ... threads with equal lists.
 *
 * Symmetry is checked as the program runs. It is broken if a thread asks for its identity
 * (pthread_self, gettid), shares an address of its own stack or heap, uses a condition or a
 * barrier, creates threads, prints, ends the program, returns a value that is used, or if the
 * others do anything between joining two of them, or join only some. Then the exploration restarts
 * without it.
 *
 * What else a thread could tell itself apart by (an address that it computes with, a library that
 * is not instrumented) is found by running graphs with the threads exchanged (run/mirror.h): each
 * thread must do what each other one does after the same answers. A history of a thread, what it
 * did and was answered, is checked once, whichever thread had it first. That finds every
 * difference: suppose that all histories of the graphs that were explored are those of each
 * symmetric thread, and yet some execution E is not an exchange of an explored one. Take the first
 * event of E, in an order of program order and reads-from, that ends a history of no explored
 * graph. Its thread had a checked history before, so it does what every other one would have done
 * there, with an answer that the graph of the events before it allows. A program whose threads are
 * symmetric, and have these histories, has this partial graph, too; its exploration is the one that
 * was made, visits an exchange of each of its complete graphs, and so one with that history.
 */
#ifndef SM_VERIFY_GRAPH_SYMMETRY_H
#define SM_VERIFY_GRAPH_SYMMETRY_H

#include "abi/control.h"
#include "runtime/event.h"
#include "verify/graph/graph.h"
#include "verify/graph/histories.h"
#include "verify/results/parcel.h"

struct sm_symmetry {
    bool shrank; /* threads that were assumed symmetric are not */
    struct sm_symmetry_thread {
        bool known, apart;
        const void *start, *arg;
    } threads[SM_GRAPH_THREADS];
    struct sm_histories histories; /* that were checked */
};

void sm_symmetry_init(struct sm_symmetry *symmetry);
/* A thread is created; a thread does something that distinguishes it. */
void sm_symmetry_created(struct sm_symmetry *symmetry, uint32_t thread, const void *start,
                         const void *arg);
void sm_symmetry_break(struct sm_symmetry *symmetry, uint32_t thread);
/* The thread stores to memory that is private so far; a thread that joins it may read that. */
void sm_symmetry_stored(struct sm_symmetry *symmetry, const struct sm_event *event);
/* The exploration begins anew, with the threads that still are symmetric. */
void sm_symmetry_settle(struct sm_symmetry *symmetry);

/* The graph has no canonical descendant. */
bool sm_symmetry_excludes(struct sm_symmetry *symmetry, const struct sm_graph *graph);

/* Of the graph of an execution that has ended. */
struct sm_symmetry_judgement {
    uint64_t class_size; /* 0: it is not the canonical one of its class */
    bool unchecked;      /* some thread has a history that the others may not have */
};
/* `exits`: the program has ended, whatever threads are left. */
struct sm_symmetry_judgement sm_symmetry_judge(struct sm_symmetry *symmetry,
                                               const struct sm_graph *graph, bool exits);

/* For run/mirror.c. By thread: the symmetric thread so many positions further; false: that is
   itself for all. */
bool sm_symmetry_rotate(struct sm_symmetry *symmetry, const struct sm_graph *graph, uint32_t by,
                        uint8_t names[]);
/* All threads can have the histories of this graph. */
void sm_symmetry_checked(struct sm_symmetry *symmetry, const struct sm_graph *graph);

void sm_symmetry_pack(const struct sm_symmetry *symmetry, struct sm_parcel *parcel);
void sm_symmetry_unpack(struct sm_symmetry *symmetry, struct sm_parcel *parcel);

#endif
