/*
 * walk.h - executions without running the program.
 *
 * The graph at hand says what each thread has done; its tree (local.h, learn.h) what it does next,
 * given what it reads. So the graph can grow as it would in a run, event by event, by the same
 * rules and in the same order: see next_thread in explore.c, and model.c. Where a tree ends the
 * program runs: it replays the graph, as far as that has come, and continues from there. It also
 * runs for each execution that is to be shown, and for one in a thousand, to see that it does as
 * its trees say.
 *
 * A run costs 4 to 60 us, a walk down the trees a tenth of it: nothing is restored, no stack is
 * switched, and what a thread did before the event that goes another way is not done again.
 */
#ifndef SM_VERIFY_TREES_WALK_H
#define SM_VERIFY_TREES_WALK_H

#include <stdbool.h>
#include <stdint.h>

enum sm_walk_end {
    SM_WALK_RUN,     /* the program must run */
    SM_WALK_PRUNED,  /* no execution, or one that is reached another way */
    SM_WALK_BLOCKED, /* a thread waits for what does not come in this graph, or assumed wrongly */
    SM_WALK_FAILED,  /* in a way that was shown before */
    SM_WALK_EXIT,    /* complete */
};

/* Lets the graph at hand (exploration.h) grow to the end. */
enum sm_walk_end sm_walk(void);
/* EXIT: the outcome, from 1. */
uint32_t sm_walk_outcome(void);

#endif
