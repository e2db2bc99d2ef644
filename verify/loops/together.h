/*
 * together.h - std::lock: several mutexes are locked as one.
 *
 * std::lock locks one of its mutexes, tries the others, and if one of them is held gives back what
 * it has and begins with that one. Each number of attempts would be an execution. Instead the
 * thread locks the mutexes one after the other, and waits for each, though it holds others (the
 * compiler pass says where std::lock begins and ends: plugin/prepare.c).
 *
 * Why it is sound. Let E be an execution. E' has of each std::lock only the last attempt, in the
 * order of the arguments. No mutex that it takes is taken by another thread between the moment when
 * E took it and the one when E took the last, since E held it; so all can be taken at the latter,
 * in any order. What the removed attempts took and gave back other threads do not notice: a lock
 * then reads from the write that the attempt read from, as in iteration.h, and a trylock that
 * failed because of an attempt is one of another std::lock, and is removed as well. The same thread
 * makes the same accesses otherwise, happens-before is a subset of that of E, and all that the
 * attempts acquired the thread acquires by the last one. So E' has every outcome, violation and
 * race of E.
 *
 * Conversely an execution of the reduced program is one of the program: each std::lock finds all
 * mutexes free when it takes the last. Where it does not get so far, it holds mutexes that it would
 * have given back. A graph in which a thread waits for one of these is no execution
 * (sm_objects_stay_blocked); if it is not so that any thread does, what the std::lock holds can be
 * taken away from the graph, which is the one of a thread that waits in std::lock, for ever if
 * nothing else can run. That deadlock is reported. Every deadlock of E is found so: its threads
 * wait in std::lock for a mutex that is held for ever, and hold nothing.
 *
 * An attempt is noticed by a trylock (or a time limit) elsewhere in the program. If any thread uses
 * one on a mutex that is also taken by std::lock, each attempt is explored, after a restart.
 */
#ifndef SM_VERIFY_LOOPS_TOGETHER_H
#define SM_VERIFY_LOOPS_TOGETHER_H

#include "runtime/event.h"
#include "verify/results/parcel.h"

void sm_together_start(void); /* once */
void sm_together_begin(void); /* before each execution */
void sm_together_pack(struct sm_parcel *parcel);
void sm_together_unpack(struct sm_parcel *parcel);

/* The running thread enters std::lock, or leaves it. */
void sm_together_mark(bool begins);
/* The thread locks a mutex, or tries to, in std::lock, and is to wait for it: the position of its
   first event there, from 1. 0: it is an ordinary lock. */
uint64_t sm_together_since(const struct sm_event *lock);
/* A thread tries to take the object elsewhere. */
void sm_together_tried(uint16_t loc);

#endif
