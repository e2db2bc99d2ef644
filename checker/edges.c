/* The edges that synchronisation adds to program order, and modification order, for drawing. */
#include <stdlib.h>

#include "checker/happens.h"

struct edge_walk {
    const struct sm_execution *x;
    uint32_t *heard; /* [thread][other]: the other's time in the thread's last clock */
    sm_edge_seen *see;
    void *context;
};

/* Is the edge to `event` from the last event of the thread that happens before it implied by
   another new edge, through a third thread? */
static bool is_by_way(const struct edge_walk *edges, const struct sm_checked_event *event,
                      uint32_t thread)
{
    const struct sm_execution *x = edges->x;
    const uint32_t *heard = &edges->heard[(size_t)event->thread * x->n_threads];
    uint32_t source = sm_event_at(x, thread, sm_knows(x, event, thread));
    for (uint32_t u = 0; u < x->n_threads; u++) {
        uint32_t time = sm_knows(x, event, u);
        if (u == thread || u == event->thread || time <= heard[u])
            continue;
        if (sm_happens_before(x, source, sm_event_at(x, u, time)))
            return true;
    }
    return false;
}

static void look_at(struct edge_walk *edges, const struct sm_checked_event *event)
{
    const struct sm_execution *x = edges->x;
    uint32_t *heard = &edges->heard[(size_t)event->thread * x->n_threads];
    for (uint32_t u = 0; u < x->n_threads; u++)
        if (u != event->thread && sm_knows(x, event, u) > heard[u] && !is_by_way(edges, event, u))
            edges->see(edges->context,
                       x->events.at[sm_event_at(x, u, sm_knows(x, event, u))].record,
                       event->record);
    for (uint32_t u = 0; u < x->n_threads; u++)
        heard[u] = sm_knows(x, event, u);
}

bool sm_check_edges(const struct sm_record *records, uint64_t n,
                    const struct sm_check_options *options, sm_edge_seen *see, void *context)
{
    struct sm_verdict verdict = {0};
    struct sm_execution x = {
        .records = records, .n_records = (uint32_t)n, .options = *options, .verdict = &verdict};
    struct edge_walk edges = {.x = &x, .see = see, .context = context};
    bool ok = n < SM_FROM_INITIAL && sm_execution_build(&x);
    if (ok) {
        sm_happens_compute(&x);
        edges.heard = sm_check_alloc((size_t)x.n_threads * x.n_threads, sizeof *edges.heard);
        for (size_t e = 0; e < x.events.n; e++)
            look_at(&edges, &x.events.at[e]);
        free(edges.heard);
    }
    sm_happens_free(&x);
    sm_execution_free(&x);
    return ok;
}

/* ---- modification order ---- */

/* A wide store is represented by its first part. */
static void show_found_order(const struct sm_execution *x, sm_edge_seen *see, void *context)
{
    for (uint32_t e = 0; e < x->events.n; e++) {
        const struct sm_checked_event *event = &x->events.at[e];
        if (!sm_is(event, SM_IS_WRITE | SM_IS_COHERENT) || !event->n_parts ||
            x->mo_prev[event->part] == SM_NONE)
            continue;
        see(context, sm_event_of_part(x, x->mo_prev[event->part])->record, event->record);
    }
}

/* The store that reaches memory at this event: a store that is not delayed, or a flushed one. */
static uint32_t landing(const struct sm_execution *x, uint32_t e)
{
    const struct sm_checked_event *event = &x->events.at[e];
    if (event->flushed != SM_NONE)
        return event->flushed;
    return sm_is(event, SM_IS_WRITE) && !(event->flags & SM_RECORD_DELAYED) ? e : SM_NONE;
}

static void show_landing_order(const struct sm_execution *x, sm_edge_seen *see, void *context)
{
    uint32_t *last = sm_check_alloc(x->n_cells + 1ul, sizeof *last); /* event + 1 */
    for (uint32_t e = 0; e < x->events.n; e++) {
        uint32_t store = landing(x, e);
        if (store == SM_NONE || !x->events.at[store].n_parts)
            continue;
        uint32_t *before = &last[x->parts.at[x->events.at[store].part].cell];
        if (*before)
            see(context, x->events.at[*before - 1].record, x->events.at[store].record);
        *before = store + 1;
    }
    free(last);
}

bool sm_check_modification_order(const struct sm_record *records, uint64_t n,
                                 const struct sm_check_options *options, sm_edge_seen *see,
                                 void *context)
{
    struct sm_verdict verdict = {0};
    struct sm_execution x = {
        .records = records, .n_records = (uint32_t)n, .options = *options, .verdict = &verdict};
    bool ok = n < SM_FROM_INITIAL && sm_execution_build(&x);
    if (ok && options->model < SM_MODEL_C11)
        show_landing_order(&x, see, context);
    else if (ok) {
        sm_happens_compute(&x);
        ok = sm_check_modification(&x);
        if (ok)
            show_found_order(&x, see, context);
    }
    sm_happens_free(&x);
    sm_execution_free(&x);
    return ok;
}
