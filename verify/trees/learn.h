/*
 * learn.h - builds the trees of the threads (local.h) from runs, for walk.c.
 *
 * Each run of the program follows a graph and continues from there; each thread walks down its
 * tree, which is extended where it ends. From then on an execution in which a thread reads the
 * same values needs no run: the tree predicts it.
 *
 * A joined thread leaves effects: its stores to private memory, and its result. The thread that
 * joins it may depend on them, so the answer of a join is a hash of these effects, if the program
 * is completely instrumented and calls nothing that could store unnoticed (whole.h); otherwise it
 * is the path that the thread took, which is finer: the program then runs for each combination of
 * paths.
 *
 * In such programs a thread may also forget what it has read: it reaches the next event with the
 * same registers, the same stack and the same stores, whatever the answer was. Such answers lead
 * to one node. (lastzero, whose reader only compares values with 0, then has 400 nodes in place of
 * 90,000, and 350 runs in place of 36,000.)
 *
 * Trees cannot predict a program in which several threads print: then every execution is run. The
 * same holds if a thread does not repeat its behaviour.
 */
#ifndef SM_VERIFY_TREES_LEARN_H
#define SM_VERIFY_TREES_LEARN_H

#include "verify/graph/graph.h"
#include "verify/results/parcel.h"
#include "verify/trees/local.h"

void sm_learn_start(void); /* once */
bool sm_learn_on(void);
/* The program does something that trees cannot predict: they are not used from now on. */
void sm_learn_off(void);
/* That has happened since the exploration began. */
bool sm_learn_failed(void);
/* The exploration restarts, with empty trees. */
void sm_learn_clear(void);
/* A number that changes when the trees are emptied. */
uint32_t sm_learn_forest(void);

/* Before each run, which replays this graph. */
void sm_learn_begin(struct sm_graph *graph);
/* The thread has reached this event; returns its node in the tree. 0: trees are off. `run`: the
   event in the runtime; NULL: the thread is no longer there, or was never in a hook. */
uint32_t sm_learn_event(uint32_t thread, const struct sm_local *event, const struct sm_event *run);
/* It continues with this answer. */
void sm_learn_answer(uint32_t thread, uint64_t answer);
/* With this answer it would reach that event. */
void sm_learn_after(uint32_t thread, uint64_t answer, const struct sm_local *event);
void sm_learn_spawn(uint32_t thread, uint32_t child);
/* The thread, which is at a join, continues. */
void sm_learn_join(uint32_t thread, uint32_t child);
/* The answer of joining a thread with this last event. */
uint64_t sm_learn_left_by(uint32_t end);
/* The value of a location, or an object, before its first event. */
void sm_learn_initial(uint16_t loc, uint64_t value);
uint64_t sm_learned_initial(uint16_t loc);

/* For other processes: are trees in use? */
void sm_learn_pack(struct sm_parcel *parcel);
void sm_learn_unpack(struct sm_parcel *parcel);

/* Another thread runs: has this one printed? */
void sm_learn_switch(const struct sm_thread *from);

#endif
