/*
 * explore.h - every execution of a bounded test, each once (`stalemate verify`).
 *
 * The algorithm is TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly Stateless,
 * Optimal Dynamic Partial Order Reduction, POPL 2022). The execution at hand is a graph. A
 * new read may read from each write that the model allows, a new write may take each place
 * in modification order; and a new write may be read by a read that is there already and
 * does not depend on it (a revisit), for which all that came after that read, and that the
 * write does not need, is taken back. A revisit is made only from the one graph in which
 * everything taken back was added in the dullest way: so no graph is reached twice.
 *
 * What is pending is kept on a stack: one graph for each revisit, one word for each other
 * choice. The program runs again for each; as long as a thread has events in the graph,
 * they answer it; from then on its events are new ones, and the thread with the smallest
 * number that can run goes first.
 *
 * Accesses before the first thread is created, and to memory that no other thread touches
 * in conflict, are no events. Which memory that is, is learnt: when an execution shows that
 * more is shared than was known, the exploration begins again.
 *
 * One thread runs at a time, and only it calls in here. The files:
 *   pool.c    memory that outlives executions        graph.c   the graph
 *   axioms.c  rc11.c  what a model allows            tree.c    what is still to be explored
 *   share.c   which memory needs events              model.c   between the graph and the program
 *   explore.c begin and end of executions, results, witnesses
 */
#ifndef SM_EXPLORE_H
#define SM_EXPLORE_H

#include <stdbool.h>
#include <stdint.h>

#include "../abi/choice.h"
#include "../runtime/model/model.h"
#include "../runtime/policy/policy.h"

enum sm_explore_mode {
    SM_EXPLORE_OFF,
    SM_EXPLORE_ALL,    /* every execution, one after the other */
    SM_EXPLORE_SCRIPT, /* one of them again, making the choices that lead there by themselves */
    SM_EXPLORE_FREE,   /* in a process of its own, by choices made or recorded */
};
extern enum sm_explore_mode sm_exploring;

extern const struct sm_model sm_model_graph;
extern const struct sm_schedule sm_schedule_graph;

/* Once in a process, before anything is saved; then before each execution. */
void sm_explore_start(void);
void sm_explore_begin(void);
/* An execution has ended, as the control block says. Is there another one? */
bool sm_explore_next(void);

/* Answers every choice but which thread runs next. */
uint32_t sm_explore_answer(enum sm_purpose purpose, uint32_t n);

/* The running thread ends the execution before its time (a failed assertion or assumption):
   the others may still do what makes it not happen, so it only stops. Returns if the
   execution is to end now; the control block then says how. */
void sm_explore_ending(void);

/* Mutexes: the event has had its scheduling point. Returns 0 or EBUSY. */
int sm_explore_lock(struct sm_event *event, bool try);
void sm_explore_unlock(struct sm_event *event);

#endif
