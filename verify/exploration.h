/*
 * exploration.h - the exploration that this process makes: what the files of verify/ share of it.
 * It lies in the pool (pool.h), where no restart of the program reaches it.
 */
#ifndef SM_VERIFY_EXPLORATION_H
#define SM_VERIFY_EXPLORATION_H

#include "verify/graph/frontier.h"
#include "verify/graph/replay.h"
#include "verify/graph/step.h"

struct sm_exploration {
    struct sm_frontier frontier;
    struct sm_replay replay;
    struct sm_axioms *axioms;
    struct sm_stepper runs;  /* adds the events of runs of the program */
    struct sm_stepper walks; /* and those that trees say */
    bool frees;              /* some graph has a free: run/frees.h */
    bool misuses;            /* some graph may have one: run/misuses.h */
};
extern struct sm_exploration *sm_exploration;

/* The graph at hand. */
static inline struct sm_graph *sm_graph_now(void)
{
    return sm_frontier_graph(&sm_exploration->frontier);
}

/* Of the run at hand: the graph has more events of the thread; how many it has had. */
static inline bool sm_run_follows(uint32_t thread)
{
    return sm_replay_has_more(&sm_exploration->replay, thread);
}

static inline uint16_t sm_run_position(uint32_t thread)
{
    return sm_replay_position(&sm_exploration->replay, thread);
}

#endif
