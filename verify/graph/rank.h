/*
 * rank.h - which thread adds the next event, in a run (run/schedule.c) and in a walk down the
 * trees (trees/walk.c): the one of the lowest rank; among equals, the one with the smallest
 * number.
 *
 * Any order visits every graph. This one makes few blocked graphs: see objects.h.
 */
#ifndef SM_VERIFY_GRAPH_RANK_H
#define SM_VERIFY_GRAPH_RANK_H

#include "verify/graph/graph.h"
#include "verify/trees/local.h"

enum sm_rank {
    SM_RANK_ENABLED,
    SM_RANK_RELEASES,    /* an object that a thread in the graph is blocked for */
    SM_RANK_WOULD_BLOCK, /* in an operation on an object, or in a spin loop */
    SM_RANK_EXITS,       /* ends the program, and with it the other threads */
    SM_RANK_BLOCKED,     /* until a thread ends, or for ever */
};

/* Of a thread whose next event operates on an object, or releases one. `state`: its newest.
   `any_blocked`: false if no thread is blocked in the graph. */
enum sm_rank sm_rank_of_operation(const struct sm_graph *graph, const struct sm_local *event,
                                  uint64_t state, bool any_blocked);

#endif
