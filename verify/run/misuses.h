/*
 * misuses.h - misuse of conditions and barriers where executions are enumerated.
 *
 * Most misuse involves one thread only, or shows in the state of the object
 * (runtime/sync/misuse.h). Two kinds depend on the timing of other threads, which a run that
 * follows a graph does not show, but the complete graph does:
 *
 *   cond     a thread begins to wait while another one waits, with another mutex. The operation has
 *            read the set of those that wait, and the event after each wait's begin is the unlock
 *            of its mutex.
 *   barrier  it is initialised or destroyed (SM_NODE_RENEW), and an arrival of another thread is
 *            neither before nor after that by porf. The arrival's thread goes no further until its
 *            round is complete, so no other arrival of the round is porf-before the renewal. What
 *            is porf-before the two is an execution, too, and in it the thread waits when the
 *            barrier is renewed.
 *
 * The execution is then run again in an order in which the misuse is detected when it happens.
 */
#ifndef SM_VERIFY_RUN_MISUSES_H
#define SM_VERIFY_RUN_MISUSES_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/event.h"
#include "verify/graph/graph.h"
#include "verify/graph/rank.h"

/* The wait or the arrival of another thread, and the event that misuses the object, or SM_NO_NODE.
 */
struct sm_misuses {
    uint32_t first, second;
};
struct sm_misuses sm_misuses_find(const struct sm_graph *graph);
bool sm_misuses_has(const struct sm_graph *graph);

/* Of a thread that is about to renew a barrier: others arrive first, so that a waiting thread is
   found, not one that arrives too late. With preemption bounds all get turns (preempt.h). */
enum sm_rank sm_misuses_rank(void);

/* The current execution is complete: if it has a misuse, that becomes its ending. */
void sm_misuses_judge(void);
/* An execution that is run again: the running thread begins to wait for a condition in this state.
 */
void sm_misuses_wait(const struct sm_event *event, uint64_t state);

#endif
