/*
 * objects.h - synchronisation objects in the graph.
 *
 * An object is a location whose value is its state (core/objects/objects.h), and an operation on
 * it is a read-modify-write. Where the state does not allow the operation, the thread is blocked:
 * its read stays in the graph without a write, until a write revisits it. Only releasing an object
 * with a single holder is a plain write.
 *
 * A signal chooses the thread it wakes before it reads the state of the condition, and blocks
 * until that thread waits; a signal that chose nobody blocks until nobody waits. If it stays
 * blocked, the choice was impossible and the graph is dropped. So one signal that could wake any
 * of three threads gives three executions.
 *
 * Leaving a condition does not change its state: it is ordered after the signal that woke the
 * thread, as a join is after the end of a thread. Only a timed wait has one more step, which may
 * come before the signal and remove the thread from the waiters.
 *
 * A barrier has no state: arrivals are unordered. A departure comes after the arrivals of its
 * round. The participant with the smallest number chooses the serial thread before it arrives: one
 * of those that use the return value, or, if there are others, none of them.
 *
 * A rwlock is one mutex for each thread that reads, and one for writers. A reader takes its own, a
 * writer all: so readers are unordered. A writer that waits for one of these mutexes already holds
 * others, which a real one does not: where a reader waits for it, the graph is not an execution,
 * and the reader comes first in another one. A reader that only tries the lock would notice: then
 * the lock is one location, and all its operations are ordered.
 *
 * In model hb (machine.h) a signal wakes one of the current waiters, and a barrier has a state:
 * who has arrived, who may depart, and who of these is the serial thread, 16 bits each. The last
 * thread to arrive picks the serial thread and lets all depart.
 *
 * A thread whose operation would block is run only when no other is enabled (rank.h), which avoids
 * most graphs in which it is blocked. If a thread is blocked because its read was revisited (the
 * other one came first), the holder releases the object when no other thread is enabled
 * (SM_RANK_RELEASES). That write revisits the read, and the graph in which the thread stays
 * blocked is dropped, if each other thread has ended, or waits for the end of a thread, or is
 * blocked such that all it will do is porf-after that write (sm_object_follows_release): then no
 * revisit deletes the write, and the thread would be blocked in every descendant of this graph.
 * (Eight threads that take a mutex once have 40,320 executions, and had 108,009 more graphs in
 * which one is blocked. While another thread is enabled without that write the graph is needed:
 * what that thread writes may revisit a read of the holder, and delete the write.)
 */
#ifndef SM_VERIFY_GRAPH_OBJECTS_H
#define SM_VERIFY_GRAPH_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/objects/objects.h"

struct sm_graph;

/* Fills in the read of an operation, and the write that releases an object. */
struct sm_node;
void sm_object_read(struct sm_node *node, enum sm_object_op op, uint64_t arg);
void sm_object_release(struct sm_node *node, int flags); /* flags: enum sm_local_flag */
/* The answer that the thread gets. */
uint64_t sm_object_answer(enum sm_object_op op, enum sm_step step, uint64_t state);

/* The signal that woke a thread since it last waited at a condition; SM_NO_NODE: none yet. */
uint32_t sm_object_waker(const struct sm_graph *graph, uint16_t loc, uint32_t thread);

/* The thread chosen from a set, one bit each, or none, if that is possible; counted from 1. */
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

/* The object `released` is about to be released, and the thread is blocked in operation `waits`:
   all it does from then on is porf-after that write, or is not a revisit that deletes it. */
struct sm_local;
bool sm_object_follows_release(const struct sm_graph *graph, uint32_t thread,
                               const struct sm_local *waits, uint16_t released);
/* Each thread that is blocked for an object has read its newest state, and so stays blocked. */
bool sm_objects_stay_blocked(const struct sm_graph *graph);

#endif
