/*
 * replay.h - a run of the program that follows a graph: which events of the graph each thread has
 * passed. Events that the graph has are answered from it; later ones are new.
 */
#ifndef SM_VERIFY_GRAPH_REPLAY_H
#define SM_VERIFY_GRAPH_REPLAY_H

#include "verify/graph/graph.h"

struct sm_replay {
    struct {
        uint32_t done, n, capacity;
        uint32_t *stamps;
    } threads[SM_GRAPH_THREADS];
};

void sm_replay_init(struct sm_replay *replay);
/* Before each run. */
void sm_replay_begin(struct sm_replay *replay, const struct sm_graph *graph);

static inline bool sm_replay_has_more(const struct sm_replay *replay, uint32_t thread)
{
    return replay->threads[thread].done < replay->threads[thread].n;
}

/* How many events the thread has passed in this run. */
static inline uint16_t sm_replay_position(const struct sm_replay *replay, uint32_t thread)
{
    return (uint16_t)replay->threads[thread].done;
}

/* The event that the thread's next event reads from, or waits for, has happened in this run. */
bool sm_replay_is_ready(const struct sm_replay *replay, const struct sm_graph *graph,
                        uint32_t thread);

/* The stamp of the event `nth` positions after the thread's next one, or SM_NO_NODE; skips n
   events. */
uint32_t sm_replay_peek(const struct sm_replay *replay, uint32_t thread, uint32_t nth);
static inline void sm_replay_skip(struct sm_replay *replay, uint32_t thread, uint32_t n)
{
    replay->threads[thread].done += n;
}
/* The thread's next event, if the graph has it; else SM_NO_NODE. */
uint32_t sm_replay_next(struct sm_replay *replay, uint32_t thread);
/* The run has added an event of the thread. */
void sm_replay_added(struct sm_replay *replay, uint32_t thread, uint32_t stamp);

#endif
