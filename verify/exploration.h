/*
 * exploration.h - the state of this process's exploration that the files of verify/ share. It is
 * allocated in the pool (pool.h), which restarts of the program do not touch.
 */
#ifndef SM_VERIFY_EXPLORATION_H
#define SM_VERIFY_EXPLORATION_H

#include "verify/graph/frontier.h"
#include "verify/graph/replay.h"
#include "verify/graph/step.h"
#include "verify/graph/symmetry.h"

struct sm_exploration {
    struct sm_frontier frontier;
    struct sm_replay replay;
    struct sm_axioms *axioms;
    struct sm_symmetry symmetry;
    struct sm_stepper runs;  /* adds the events of runs of the program */
    struct sm_stepper walks; /* adds the events that the trees predict */
    bool frees;              /* some graph has a free: run/frees.h */
    bool misuses;            /* some graph may have a misuse: run/misuses.h */
};
extern struct sm_exploration *sm_exploration;

/* The current graph. */
static inline struct sm_graph *sm_graph_now(void)
{
    return sm_frontier_graph(&sm_exploration->frontier);
}

/* In the current run: the graph has more events of the thread; how many events the thread has had.
 */
static inline bool sm_run_follows(uint32_t thread)
{
    return sm_replay_has_more(&sm_exploration->replay, thread);
}

static inline uint16_t sm_run_position(uint32_t thread)
{
    return sm_replay_position(&sm_exploration->replay, thread);
}

#endif
