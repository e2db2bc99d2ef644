/*
 * preempt.h - executions with few preemptions (`--preemptions N`), under sc.
 *
 * A preemption is a switch from a thread that could continue to another one (CHESS: Musuvathi and
 * Qadeer, PLDI 2007). The search is over schedules, without revisits: an event reads from the
 * newest write, or becomes it, and the alternatives are which thread adds the next event
 * (frontier.h). The current graph and the thread that ran last determine all that can follow, so
 * such a state is explored once for each number of remaining preemptions, and a complete graph
 * counts once.
 *
 * The bound is raised from 0 on. Within a bound all executions with at most so many preemptions
 * are seen. If the bound suppressed no switch, all executions were seen.
 *
 * Why the reductions of loops stay sound. Iterations without effect are not followed by others
 * (loops/iteration.h, loops/await.h): an execution E with such an iteration stands for E' without
 * it. E' has the schedule of E without these events of one thread. Segments of the schedule become
 * shorter, or vanish; one that vanishes removes the switch to it or the switch from it, and if the
 * first one left a thread that could not continue, so does the remaining one. An iteration that
 * uses no object neither enables nor disables a thread. So E' has no more preemptions than E.
 *
 * No preemption: a switch from a thread that has ended, waits for an object, another thread or a
 * barrier, is in a spin loop of loads, or is about to end the program; also if its wait is about to
 * end without a signal. Nor from one that is about
 * to take a read-write lock: it takes one part after the other (objects.h), and if it must wait
 * for one part, a real one would wait before the first. So preemptions may be undercounted, which
 * explores more executions than asked for, never fewer. A switch from a signal that waits for the
 * thread it chose is a preemption: a real one would not have begun.
 */
#ifndef SM_VERIFY_GRAPH_PREEMPT_H
#define SM_VERIFY_GRAPH_PREEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "verify/graph/graph.h"
#include "verify/graph/rank.h"

void sm_preempt_start(void); /* once */
bool sm_preempt_on(void);
/* The exploration restarts, with bound 0. */
void sm_preempt_clear(void);

/* What each thread is about to do. */
struct sm_ready {
    uint32_t n;                      /* threads have smaller numbers */
    uint8_t rank[SM_GRAPH_THREADS];  /* enum sm_rank; _BLOCKED also where there is no thread */
    bool preempts[SM_GRAPH_THREADS]; /* a switch from it is a preemption */
};
/* `event`: what the thread is about to do; NULL if it is not an operation on an object. */
void sm_ready_set(struct sm_ready *ready, uint32_t thread, enum sm_rank rank,
                  const struct sm_local *event);

/* The thread that adds the next event to the current graph; other candidates go to the frontier.
   SM_NO_NODE: none. SM_NO_TURN: what follows was explored, or needs too many preemptions. */
#define SM_NO_TURN (SM_NO_NODE - 1)
uint32_t sm_preempt_next(const struct sm_ready *ready);
/* sm_preempt_next has chosen this thread. */
bool sm_preempt_has_turn(uint32_t thread);
/* The thread needed no choice: it has run alone since an event that is added only now. */
void sm_preempt_had_turn(uint32_t thread);
/* Needs no turn: a run creates and ends threads as soon as it gets there, and others see it at
   once. Only the events of that thread, and a join, are ordered with it. */
static inline bool sm_preempt_is_aside(const struct sm_node *node)
{
    return node->kind == SM_NODE_SPAWN || node->kind == SM_NODE_END;
}
/* An entry of the frontier was popped. */
void sm_preempt_resume(void);

/* The current graph is complete, and was not seen before. */
bool sm_preempt_is_new(void);
/* Everything within the bound was explored. True: the bound was raised by one. */
bool sm_preempt_raise(void);

#endif
