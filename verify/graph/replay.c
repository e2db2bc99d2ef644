#include "verify/graph/replay.h"

#include "verify/pool.h"

enum { FIRST_EVENTS = 64 };

void sm_replay_init(struct sm_replay *replay)
{
    for (unsigned i = 0; i < SM_GRAPH_THREADS; i++) {
        replay->threads[i].done = replay->threads[i].n = 0;
        replay->threads[i].capacity = FIRST_EVENTS;
        replay->threads[i].stamps = sm_pool_get(FIRST_EVENTS * sizeof(uint32_t));
    }
}

static void note(struct sm_replay *replay, uint32_t thread, uint32_t stamp)
{
    __typeof__(&replay->threads[0]) events = &replay->threads[thread];
    if (events->n == events->capacity) {
        events->stamps = sm_pool_double(events->stamps, events->capacity * sizeof *events->stamps);
        events->capacity *= 2;
    }
    events->stamps[events->n++] = stamp;
}

void sm_replay_begin(struct sm_replay *replay, const struct sm_graph *graph)
{
    for (unsigned i = 0; i < SM_GRAPH_THREADS; i++)
        replay->threads[i].done = replay->threads[i].n = 0;
    for (uint32_t e = 0; e < graph->n; e++)
        note(replay, graph->nodes[e].thread, e);
}

uint32_t sm_replay_peek(const struct sm_replay *replay, uint32_t thread, uint32_t nth)
{
    uint32_t at = replay->threads[thread].done + nth;
    return at < replay->threads[thread].n ? replay->threads[thread].stamps[at] : SM_NO_NODE;
}

/* A thread's stamps grow in program order. */
static bool has_had(const struct sm_replay *replay, uint32_t thread, uint32_t stamp)
{
    uint32_t done = replay->threads[thread].done;
    return done && replay->threads[thread].stamps[done - 1] >= stamp;
}

bool sm_replay_is_ready(const struct sm_replay *replay, const struct sm_graph *graph,
                        uint32_t thread)
{
    uint32_t next = sm_replay_peek(replay, thread, 0);
    if (next == SM_NO_NODE || !sm_node_has_rf(&graph->nodes[next]))
        return true;
    uint32_t rf = graph->nodes[next].rf;
    return rf == SM_NO_NODE || has_had(replay, graph->nodes[rf].thread, rf);
}

uint32_t sm_replay_next(struct sm_replay *replay, uint32_t thread)
{
    return sm_replay_has_more(replay, thread)
               ? replay->threads[thread].stamps[replay->threads[thread].done++]
               : SM_NO_NODE;
}

void sm_replay_added(struct sm_replay *replay, uint32_t thread, uint32_t stamp)
{
    note(replay, thread, stamp);
    replay->threads[thread].done++;
}
