/*
 * learn.h - what a run shows of its threads goes into their trees (local.h), for walk.c.
 *
 * Each run of the program follows a graph and continues from there; meanwhile each thread walks
 * down its tree, and what the tree did not have is added. From then on an execution in which a
 * thread reads the same values needs no run: the tree says what it does.
 *
 * A thread that is joined leaves effects: what it has stored to private memory, and its result.
 * The thread that joins it may depend on them, so joining is
 * answered by a hash of what was left, where all code of the program is instrumented and calls
 * nothing that could store without being seen (whole.h); elsewhere by the path that the thread
 * took, which is finer: the program then runs for each combination of paths.
 *
 * There a thread may also forget what it has read: it comes to the next event with the same
 * registers, the same stack, and has stored the same, whatever the answer was. Such answers lead to
 * one node. (lastzero, whose reader looks at values only to see that they are not 0, has then 400
 * nodes in place of 90,000, and 350 runs in place of 36,000.)
 *
 * Trees cannot say what a program does that prints in several threads: then every execution is run,
 * as it is where a thread does not do the same again.
 */
#ifndef SM_VERIFY_TREES_LEARN_H
#define SM_VERIFY_TREES_LEARN_H

#include "verify/graph/graph.h"
#include "verify/results/parcel.h"
#include "verify/trees/local.h"

void sm_learn_start(void); /* once */
bool sm_learn_on(void);
/* The program does something that trees cannot say: they are not used from now on. */
void sm_learn_off(void);
/* It came to that since the exploration began. */
bool sm_learn_failed(void);
/* The exploration begins again, with empty trees. */
void sm_learn_clear(void);
/* A number that changes when the trees are emptied. */
uint32_t sm_learn_forest(void);

/* Before each run, which replays this graph. */
void sm_learn_begin(struct sm_graph *graph);
/* The thread has come to this event; returns it in the tree. 0: nothing is learnt. `run` is the
   event as the runtime has it; NULL: the thread is no longer there, or was never in a hook. */
uint32_t sm_learn_event(uint32_t thread, const struct sm_local *event, const struct sm_event *run);
/* It goes on with this answer. */
void sm_learn_answer(uint32_t thread, uint64_t answer);
/* With this answer it would come to that event. */
void sm_learn_after(uint32_t thread, uint64_t answer, const struct sm_local *event);
void sm_learn_spawn(uint32_t thread, uint32_t child);
/* The thread, which has come to joining, goes on. */
void sm_learn_join(uint32_t thread, uint32_t child);
/* The answer of joining a thread whose last event this is. */
uint64_t sm_learn_left_by(uint32_t end);
/* The thread stores what is nobody else's; or frees. */
void sm_learn_private(const struct sm_event *event);
/* Of the end of a thread: what it has left. */
uint64_t sm_learn_legacy(const struct sm_thread *thread);

/* What a location, or an object, holds before its first event. */
void sm_learn_initial(uint16_t loc, uint64_t value);
uint64_t sm_learned_initial(uint16_t loc);

/* For other processes: are there trees? */
void sm_learn_pack(struct sm_parcel *parcel);
void sm_learn_unpack(struct sm_parcel *parcel);

/* Another thread runs: has this one printed? */
void sm_learn_switch(const struct sm_thread *from);

#endif
