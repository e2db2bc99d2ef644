/*
 * misuses.h - misuse of conditions and barriers where executions are enumerated.
 *
 * Most misuse of an object is one of its thread alone, or the state of the object shows it
 * (runtime/sync/misuse.h). Two kinds depend on when other threads come, of which a run that follows
 * a graph knows nothing. The complete graph does:
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
 * The execution is then made again in an order in which the misuse is seen when it happens.
 */
#ifndef SM_VERIFY_RUN_MISUSES_H
#define SM_VERIFY_RUN_MISUSES_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/event.h"
#include "verify/graph/graph.h"
#include "verify/graph/rank.h"

/* The wait or the arrival of another thread, and the event that makes it misuse, or SM_NO_NODE. */
struct sm_misuses {
    uint32_t first, second;
};
struct sm_misuses sm_misuses_find(const struct sm_graph *graph);
bool sm_misuses_has(const struct sm_graph *graph);

/* Of a thread that is about to renew a barrier: others arrive first, so that what is found is a
   thread that waits, not one that comes too late. Turns are given to all (preempt.h). */
enum sm_rank sm_misuses_rank(void);

/* The execution at hand is complete: if it has a misuse, that is how it has ended. */
void sm_misuses_judge(void);
/* An execution that is made again: the running thread begins to wait for a condition in this
   state. */
void sm_misuses_wait(const struct sm_event *event, uint64_t state);

#endif
