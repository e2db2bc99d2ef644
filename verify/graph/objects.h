/*
 * objects.h - synchronisation objects in the graph.
 *
 * An object is a location whose value is its state (core/objects/objects.h), and what a thread does
 * to it is a read-modify-write. Where the state does not allow it, the thread is blocked: its read
 * stays in the graph without a write, until a write revisits it. Only giving up what one thread
 * alone can hold is a plain write.
 *
 * A signal chooses which thread it wakes before it looks at the condition, and waits for that
 * thread to wait; a signal that chose nobody waits until nobody waits. If that does not come, the
 * choice was none, and the graph is dropped. So one signal that could wake any of three threads is
 * three executions.
 *
 * Leaving a condition changes nothing: it comes after the signal that woke the thread, as joining
 * comes after the end of a thread. Only a timed wait is one more step, which may come before the
 * signal and take the thread out.
 *
 * A barrier has no state: arrivals are not ordered among themselves. A departure comes after
 * the arrivals of its round. Who is told to be the serial thread is chosen by the participant with
 * the smallest number, before it arrives: one of those that look at what they are told, or, if
 * there are others, none of them.
 *
 * A rwlock is one mutex for each thread that reads, and one for writers. A reader takes its own, a
 * writer all: so readers are not ordered among themselves. A writer that waits for one of them has
 * others already, which in truth it has not: where a reader waits for it, the graph is no
 * execution, and the reader comes first in another one. But a reader that only tries would see it:
 * then the lock is one location, and all its operations are ordered.
 *
 * In model hb (machine.h) a signal wakes one of those that wait there and then, and a barrier has
 * a state: who has arrived, who may depart, and who of these is the serial thread, 16 bits each.
 * The last one to arrive picks it, and lets all depart.
 *
 * A thread whose operation would block for now is run only when no other is enabled (rank.h): most
 * graphs in which it is blocked are then never made. Where one is blocked because its read was
 * revisited (the other one came first), the thread that gives the object up does so when no other
 * is enabled (SM_RANK_RELEASES). That write revisits the read, and the graph in which the thread
 * stays blocked is dropped, if each other thread has ended, or waits for the end of a thread, or is
 * blocked in such a way that all it does is porf-after that write (sm_object_follows_release): then
 * no revisit deletes the write, and the thread would be blocked in every graph that comes of this
 * one. (Eight threads that take a mutex once have 40,320 executions, and had 108,009 more graphs in
 * which one is blocked. While another thread is enabled without that write the graph is needed:
 * what that thread writes may revisit a read of the holder, and delete the write.)
 */
#ifndef SM_VERIFY_GRAPH_OBJECTS_H
#define SM_VERIFY_GRAPH_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/objects/objects.h"

struct sm_graph;

/* Fills in the read of an operation, and the write that gives an object up. */
struct sm_node;
void sm_object_read(struct sm_node *node, enum sm_object_op op, uint64_t arg);
void sm_object_release(struct sm_node *node, int flags); /* flags: enum sm_local_flag */
/* What its thread learns. */
uint64_t sm_object_answer(enum sm_object_op op, enum sm_step step, uint64_t state);

/* The signal that woke a thread since it last waited at a condition; SM_NO_NODE: none yet. */
uint32_t sm_object_waker(const struct sm_graph *graph, uint16_t loc, uint32_t thread);

/* Who is chosen of a set of threads, a bit for each, or none, if that is possible; from 1. */
struct sm_ballot {
    uint32_t set;
    bool none;
};
uint32_t sm_ballot_elected(struct sm_ballot ballot, uint32_t pick);
/* The same in one word, for a tree. */
static inline uint64_t sm_ballot_word(struct sm_ballot ballot)
{
    return ballot.set | (uint64_t)ballot.none << 32;
}
static inline struct sm_ballot sm_ballot_of(uint64_t word)
{
    return (struct sm_ballot){(uint32_t)word, word >> 32};
}

/* The object `released` is about to be given up. The thread is blocked in this operation: whatever
   it does from then on is porf-after that write, or deletes nothing of it by a revisit. */
struct sm_local;
bool sm_object_follows_release(const struct sm_graph *graph, uint32_t thread,
                               const struct sm_local *waits, uint16_t released);
/* Each thread that is blocked for an object stays so: it has read the newest state. */
bool sm_objects_stay_blocked(const struct sm_graph *graph);

#endif
