/*
 * search.h - explores every state of the machine (`verify --model hb`, after JPR).
 *
 * Iterations: in the first nothing is promised, so reads see past writes only. From then on a
 * thread may promise what is in the write set: the plain writes that were seen to race with a
 * plain read of another thread. This may add new ones; when it adds none, the set is the least
 * fixed point, and everything was explored. Without prescience there is only the first iteration.
 *
 * Writes that were never seen in a race need not be promised. Take the first read of a promise in
 * an execution: the promising thread can reach the write alone, so there is a state, reached
 * without that promise, in which the write is made and the reader, unsynchronised with it, is
 * still at its read. So a program without races has one iteration, however much it writes (a stack
 * with a mutex did not finish in 100 s without this, and takes 0.02 s with it).
 *
 * Model oota is JPR's own: any write that some path made, to a location where a race was seen, may
 * be read early by other threads, certified or not, and must eventually be made.
 *
 * Independent steps: where a thread has one possible step, and whatever the others could do before
 * it they can do after it, nothing else is explored (the step alone is a persistent set), and no
 * state is kept between such steps. That holds for
 * - plain writes to locations without order: until others synchronise with the thread, they only
 *   add to what others may read;
 * - fences that are not seq_cst, the creation of threads, joining one that has ended: no other
 *   thread's step changes what they do;
 * - plain reads of locations where no race was seen. Suppose that another thread could write there
 *   first. Its steps up to that write are possible after the read, too, which changes nothing for
 *   them; the write does not happen after the read, and so a race is found in what is explored.
 *   Then the reads of that location are no longer independent, and the iteration begins again.
 * A thread's independent steps end, because a step that closes a loop is not one. So in every cycle
 * of states all threads are explored. A choice of the program is not independent: a certificate
 * (certify.h) may need the other answer.
 *
 * Steps that end an iteration of a loop that only reads atomics are not taken (idle.h).
 *
 * Model sc (verify --states): programs may run for ever. A thread waits if it does nothing but read
 * (a failed compare-exchange is a read), or if it needs a lock. If it waits in a state, and in each
 * that can follow, however the threads are scheduled, it never goes on: a livelock. A turn of a
 * loop that has no exit is no waiting, so a thread may watch for ever. Nor does one wait that is
 * idle: at a condition, a semaphore, a barrier, a join. (A thread that can go on but need not, as
 * at a test-and-set lock that others always take first, is not told.)
 *
 * The search works on trees (local.h). Where they end it asks for a run of the program: a list of
 * steps to follow, and a thread to continue with. It also asks for runs to get the output of a
 * complete execution, and to record one that fails.
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
    uint32_t thread; /* to continue with after the steps */
    bool starves;    /* witness: all threads stop after the steps */
};

struct sm_search;

struct sm_search *sm_search_start(void); /* once */
void sm_search_clear(struct sm_search *search);
/* Continues until a run is needed. The last run may have extended the trees. */
enum sm_search_want sm_search_next(struct sm_search *search, struct sm_search_run *run);
/* The order of seq_cst accesses turns out to matter (seqcst.h): everything must restart. True only
   once. */
bool sm_search_grew(const struct sm_search *search);
/* Results so far go to the control block. */
void sm_search_publish(const struct sm_search *search);

#endif
