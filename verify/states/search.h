/*
 * search.h - every state of the machine, and what came of it (`verify --model hb`, after JPR).
 *
 * Iterations: in the first nothing is promised, so that reads see the past alone. From then on
 * a thread may promise what is in the write set: the plain writes that a plain read of another
 * thread was seen to race with. New ones may come of that; when none do, the set is the least fixed
 * point, and everything was explored. Without prescience the first iteration is the only one.
 *
 * Writes that were never seen in a race need not be promised. Take the first read of a promise in
 * an execution: the promising thread can come to the write by itself, so there is a state, reached
 * without that promise, in which the write is made and the reader, who knows nothing of it, is
 * still at its read. So a program without races has one iteration, however much it writes (a stack
 * with a mutex did not come to an end in 100 s, and now takes 0.02 s).
 *
 * Model oota is JPR's own: any write that some path made, to a location where a race was seen, may
 * be read early by other threads, certified or not, and has to be made in the end.
 *
 * The search works on trees (local.h). Where they end it asks for a run of the program: a list
 * of steps to follow, and a thread to let go on. It also asks for runs to see what a complete
 * execution prints, and to record one that fails.
 */
#ifndef SM_VERIFY_STATES_SEARCH_H
#define SM_VERIFY_STATES_SEARCH_H

#include "verify/states/machine.h"

enum sm_search_want {
    SM_SEARCH_LEARN,   /* what a thread does next */
    SM_SEARCH_OUTCOME, /* what a complete execution prints */
    SM_SEARCH_WITNESS, /* an execution that fails */
    SM_SEARCH_RACES,   /* the stacks of races (consistency/races.h) */
    SM_SEARCH_DONE,
};

struct sm_search_run {
    const struct sm_move *steps;
    uint32_t n_steps;
    uint32_t thread; /* to go on with when they are over */
};

void sm_search_start(void); /* once */
void sm_search_clear(void);
/* Goes on until a run is needed. The last one may have added to the trees. */
enum sm_search_want sm_search_next(struct sm_search_run *run);
/* The order of seq_cst accesses turns out to matter (seqcst.h): everything has to begin again.
 * Once. */
bool sm_search_grew(void);
/* Results so far go to the control block. */
void sm_search_publish(void);

#endif
