/*
 * preempt.h - executions with few preemptions (`--preemptions N`), under sc.
 *
 * A preemption is a switch from a thread that could go on to another one (CHESS: Musuvathi and
 * Qadeer, PLDI 2007). The search is by schedules, not by revisits: an event reads the newest write,
 * or becomes it, and what is pending is which thread adds the next event (frontier.h). The graph at
 * hand and the thread that ran last decide all that can follow, so such a state is explored once
 * for each number of preemptions that are left, and a complete graph counts once.
 *
 * The bound is raised from 0 on. Within a bound nothing else is left out: all executions with at
 * most so many preemptions were seen. If no switch was left out for the bound, all executions were.
 *
 * Why the reductions of loops stay sound. Iterations that have no effect are not followed by others
 * (loops/iteration.h, loops/await.h): an execution E with such an iteration stands for E' without
 * it. E' has the schedule of E less these events of one thread. Segments of the schedule become
 * shorter, or vanish; one that vanishes takes the switch to it or the switch from it along, and the
 * switch that stays leaves a thread that could not go on if the first one did. Nobody is enabled,
 * or disabled, by an iteration that uses no object. So E' has no more preemptions than E.
 *
 * Free to leave is a thread that has ended, that waits for an object, another thread or a barrier,
 * that is in a spin loop of loads, or is about to end the program. So is one that is about to take
 * a read-write lock: it takes one part after the other (objects.h), and where it has to wait for
 * one it had to wait before the first. That counts fewer preemptions than there are, which makes
 * more executions than were asked for, and never fewer. A signal of a condition that waits for the
 * thread it chose is not free: in truth it has not begun.
 */
#ifndef SM_VERIFY_GRAPH_PREEMPT_H
#define SM_VERIFY_GRAPH_PREEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "verify/graph/graph.h"
#include "verify/graph/rank.h"

void sm_preempt_start(void); /* once */
bool sm_preempt_on(void);
/* The exploration begins again, with no preemption. */
void sm_preempt_clear(void);

/* What each thread is about to do. */
struct sm_ready {
    uint8_t rank[SM_GRAPH_THREADS];  /* enum sm_rank; _BLOCKED also where there is no thread */
    bool preempts[SM_GRAPH_THREADS]; /* to leave it is a preemption */
};
/* `event`: what it is about to do, or NULL where that is no operation on an object. */
void sm_ready_set(struct sm_ready *ready, uint32_t thread, enum sm_rank rank,
                  const struct sm_local *event);

/* The thread that adds the next event to the graph at hand; others that could go to the frontier.
   SM_NO_NODE: there is none. SM_NO_TURN: what follows was explored, or needs too many
   preemptions. */
#define SM_NO_TURN (SM_NO_NODE - 1)
uint32_t sm_preempt_next(const struct sm_ready *ready);
/* It has said so of this thread. */
bool sm_preempt_has_turn(uint32_t thread);
/* Or need not have: the thread has run alone since an event that is added only now. */
void sm_preempt_had_turn(uint32_t thread);
/* Needs no turn: a run creates, and ends, a thread as soon as it comes to that, and others see it
   at once. Only the events of that thread, and a join, are ordered with it. */
static inline bool sm_preempt_is_aside(const struct sm_node *node)
{
    return node->kind == SM_NODE_SPAWN || node->kind == SM_NODE_END;
}
/* An entry of the frontier was popped. */
void sm_preempt_resume(void);

/* The graph at hand is complete, and was not before. */
bool sm_preempt_is_new(void);
/* Everything within the bound was explored. True: from now on with one preemption more. */
bool sm_preempt_raise(void);

#endif
