/*
 * walk.h - executions without running the program.
 *
 * The current graph has what each thread has done; its tree (local.h, learn.h) predicts what it
 * does next, given what it reads. So the graph can grow as in a run, event by event, by the same
 * rules and in the same order: see next_thread in run/schedule.c, and run/accesses.c. Where a tree
 * ends the program runs: it replays the graph so far and continues from there. It also runs for
 * each execution that is to be shown, and for one in a thousand, to check the trees.
 *
 * A run costs 4 to 60 us, a walk down the trees a tenth of it: nothing is restored, no stack is
 * switched, and events before the changed one are not repeated.
 */
#ifndef SM_VERIFY_TREES_WALK_H
#define SM_VERIFY_TREES_WALK_H

#include <stdbool.h>
#include <stdint.h>

enum sm_walk_end {
    SM_WALK_RUN,     /* the program must run */
    SM_WALK_PRUNED,  /* not an execution, or reached otherwise */
    SM_WALK_BLOCKED, /* a thread waits for what no event provides, or an assumption failed */
    SM_WALK_FAILED,  /* in a way that was shown before */
    SM_WALK_EXIT,    /* complete */
};

/* Extends the current graph (exploration.h) to the end. */
enum sm_walk_end sm_walk(void);
/* EXIT: the outcome, from 1. */
uint32_t sm_walk_outcome(void);

#endif
