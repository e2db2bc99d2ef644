/*
 * RC11's axiom for seq_cst: psc = psc_base ∪ psc_F has no cycle, where
 *
 *   scb      = sb ∪ sb≠loc;hb;sb≠loc ∪ hb|loc ∪ mo ∪ fr
 *   psc_base = ([SC] ∪ [F];hb?) ; scb ; ([SC] ∪ hb?;[F])
 *   psc_F    = [F] ; (hb ∪ hb;eco;hb) ; [F]          F: seq_cst fences
 *
 * psc itself has quadratically many edges. Instead, the relations that psc is composed of are
 * single steps on a graph with several nodes for each event, one for each stage of a
 * composition ("reached by a seq_cst fence, then hb"; "reached by scb"). That graph has a
 * cycle iff psc has one, and about as many edges as the trace has events. It is searched
 * backwards, because clocks and modification order give predecessors directly.
 */
#include <stdlib.h>

#include "checker/modification.h"

/* Stages. The first eight have a node for each event, the others for each part. */
enum stage {
    SEQ,          /* a seq_cst operation: where one edge of psc ends and the next begins */
    FENCED,       /* reached by [F];hb */
    BEGIN,        /* where scb may begin: SEQ or FENCED */
    PO,           /* scb so far: sb */
    LOCATION_RUN, /* scb begun at this event or at one before it in a run of the same location */
    AWAY,         /* scb so far: sb≠loc;hb? */
    END,          /* reached by scb */
    TAIL,         /* reached by scb;hb or hb;eco;hb?: may end at a fence */
    EVENT_STAGES,
    LOCAL = EVENT_STAGES, /* scb begun here or earlier at the same cell and thread: hb|loc */
    MO,                   /* scb so far: mo or fr */
    ECO,                  /* after FENCED: mo or fr, possibly followed by rf */
    STAGES
};

struct path_frame {
    size_t node;
    size_t first; /* of its unvisited predecessors, in todo */
};

struct psc_graph {
    struct sm_execution *x;
    struct sm_chains all;
    uint32_t *other_location;         /* by event: its last po-predecessor elsewhere, or SM_NONE */
    uint32_t *reader_first, *readers; /* events that read from a store part; after those, for
                                         each cell the events that read its initial value */
    uint8_t *colour;                  /* by node: 0 new, 1 on the path, 2 done */
    SM_VECTOR(struct path_frame) path;
    SM_VECTOR(size_t) todo;
};

/* ---- nodes ---- */

static size_t node_of(const struct psc_graph *g, enum stage stage, uint32_t i)
{
    if (stage < EVENT_STAGES)
        return (size_t)stage * g->x->events.n + i;
    return EVENT_STAGES * g->x->events.n + (size_t)(stage - EVENT_STAGES) * g->x->parts.n + i;
}

static enum stage stage_of(const struct psc_graph *g, size_t node, uint32_t *i)
{
    size_t events = g->x->events.n, parts = g->x->parts.n;
    if (node < EVENT_STAGES * events) {
        *i = (uint32_t)(node % events);
        return (enum stage)(node / events);
    }
    node -= EVENT_STAGES * events;
    *i = (uint32_t)(node % parts);
    return (enum stage)(EVENT_STAGES + node / parts);
}

static void from(struct psc_graph *g, enum stage stage, uint32_t i)
{
    size_t node = node_of(g, stage, i);
    SM_PUSH(&g->todo, node);
}

/* ---- single steps of po and hb ---- */

static uint32_t po_prev(const struct sm_execution *x, uint32_t e)
{
    const struct sm_checked_event *event = &x->events.at[e];
    return event->time > 1 ? sm_event_at(x, event->thread, event->time - 1) : SM_NONE;
}

static bool same_location(const struct sm_execution *x, uint32_t a, uint32_t b)
{
    return x->events.at[a].location != SM_NONE &&
           x->events.at[a].location == x->events.at[b].location;
}

static bool is_fence(const struct sm_checked_event *event)
{
    return sm_is(event, SM_IS_FENCE | SM_IS_SEQ_CST);
}

static void hb_step(struct psc_graph *g, enum stage stage, uint32_t e)
{
    switch (stage) {
    case FENCED:
        from(g, FENCED, e);
        if (is_fence(&g->x->events.at[e]))
            from(g, SEQ, e);
        break;
    case TAIL:
        from(g, END, e);
        from(g, TAIL, e);
        break;
    default:
        from(g, stage, e);
    }
}

/* The direct predecessors of e in happens-before: its predecessor in program order, and the last
   event that happens before it of each thread that it synchronises with. */
static void hb_steps(struct psc_graph *g, enum stage stage, uint32_t e)
{
    const struct sm_execution *x = g->x;
    const struct sm_checked_event *event = &x->events.at[e];
    uint32_t before = po_prev(x, e);
    if (before != SM_NONE)
        hb_step(g, stage, before);
    if (before != SM_NONE && x->events.at[before].clock == event->clock)
        return;
    for (uint32_t t = 0; t < x->clocks->all.at[event->clock].n; t++) {
        uint32_t knew = before == SM_NONE ? 0 : sm_knows(x, &x->events.at[before], t);
        uint32_t knows = sm_knows(x, event, t);
        if (t != event->thread && knows > knew)
            hb_step(g, stage, sm_event_at(x, t, knows));
    }
}

/* ---- predecessors ---- */

static void into_seq(struct psc_graph *g, uint32_t e)
{
    from(g, END, e);
    if (is_fence(&g->x->events.at[e])) {
        from(g, TAIL, e);
        from(g, FENCED, e);
    }
}

static void into_begin(struct psc_graph *g, uint32_t e)
{
    from(g, FENCED, e);
    if (sm_is(&g->x->events.at[e], SM_IS_SEQ_CST))
        from(g, SEQ, e);
}

static void into_po(struct psc_graph *g, uint32_t e)
{
    uint32_t before = po_prev(g->x, e);
    if (before == SM_NONE)
        return;
    from(g, PO, before);
    from(g, BEGIN, before);
}

static void into_run(struct psc_graph *g, uint32_t e)
{
    uint32_t before = po_prev(g->x, e);
    from(g, BEGIN, e);
    if (before != SM_NONE && same_location(g->x, before, e))
        from(g, LOCATION_RUN, before);
}

static void into_away(struct psc_graph *g, uint32_t e)
{
    uint32_t before = po_prev(g->x, e);
    hb_steps(g, AWAY, e);
    if (before != SM_NONE && !same_location(g->x, before, e))
        from(g, LOCATION_RUN, before);
}

static void into_end(struct psc_graph *g, uint32_t e)
{
    const struct sm_execution *x = g->x;
    const struct sm_checked_event *event = &x->events.at[e];
    from(g, PO, e);
    if (g->other_location[e] != SM_NONE)
        from(g, AWAY, g->other_location[e]);
    for (uint32_t p = event->part; p < event->part + event->n_parts; p++) {
        uint32_t cell = x->parts.at[p].cell;
        if (sm_is(event, SM_IS_WRITE))
            from(g, MO, p);
        for (uint32_t c = g->all.cell_first[cell]; c < g->all.cell_first[cell + 1]; c++) {
            uint32_t last = sm_chain_last(x, &g->all, &g->all.chains[c], e);
            if (last != SM_NONE)
                from(g, LOCAL, last);
        }
    }
}

static void into_tail(struct psc_graph *g, uint32_t e)
{
    const struct sm_execution *x = g->x;
    const struct sm_checked_event *event = &x->events.at[e];
    hb_steps(g, TAIL, e);
    if (!sm_is(event, SM_IS_READ | SM_IS_COHERENT))
        return;
    for (uint32_t p = event->part; p < event->part + event->n_parts; p++) {
        uint32_t source = x->parts.at[p].source;
        if (source == SM_FROM_INITIAL)
            continue;
        from(g, ECO, source);
        from(g, FENCED, x->parts.at[source].event);
    }
}

static void into_local(struct psc_graph *g, uint32_t p)
{
    const struct sm_execution *x = g->x;
    uint32_t at = g->all.position[p];
    from(g, BEGIN, x->parts.at[p].event);
    if (!at)
        return;
    uint32_t q = g->all.parts[at - 1];
    if (x->parts.at[q].cell == x->parts.at[p].cell &&
        sm_event_of_part(x, q)->thread == sm_event_of_part(x, p)->thread)
        from(g, LOCAL, q);
}

/* mo and fr, one store back: the store before p, and the events that read from it. */
static void into_mo(struct psc_graph *g, enum stage stage, uint32_t p)
{
    const struct sm_execution *x = g->x;
    enum stage begin = stage == MO ? BEGIN : FENCED;
    uint32_t prev = x->mo_prev[p];
    uint32_t slot = prev == SM_NONE ? (uint32_t)x->parts.n + x->parts.at[p].cell : prev;
    if (prev != SM_NONE) {
        from(g, stage, prev);
        from(g, begin, x->parts.at[prev].event);
    }
    for (uint32_t i = g->reader_first[slot]; i < g->reader_first[slot + 1]; i++)
        if (g->readers[i] != x->parts.at[p].event)
            from(g, begin, g->readers[i]);
}

static void predecessors(struct psc_graph *g, size_t node)
{
    uint32_t i;
    enum stage stage = stage_of(g, node, &i);
    switch (stage) {
    case SEQ:
        into_seq(g, i);
        break;
    case FENCED:
        hb_steps(g, FENCED, i);
        break;
    case BEGIN:
        into_begin(g, i);
        break;
    case PO:
        into_po(g, i);
        break;
    case LOCATION_RUN:
        into_run(g, i);
        break;
    case AWAY:
        into_away(g, i);
        break;
    case END:
        into_end(g, i);
        break;
    case TAIL:
        into_tail(g, i);
        break;
    case LOCAL:
        into_local(g, i);
        break;
    default:
        into_mo(g, stage, i);
    }
}

/* ---- tables ---- */

static void find_readers(struct psc_graph *g)
{
    const struct sm_execution *x = g->x;
    size_t n = x->parts.n + x->n_cells;
    uint32_t *start = sm_check_alloc(n + 2, sizeof *start);
    g->reader_first = start++; /* filling shifts it into place */
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t p = 0; p < x->parts.n; p++) {
            const struct sm_event_part *part = &x->parts.at[p];
            if (!sm_is(&x->events.at[part->event], SM_IS_READ | SM_IS_COHERENT))
                continue;
            size_t slot = part->source == SM_FROM_INITIAL ? x->parts.n + part->cell : part->source;
            if (fill)
                g->readers[start[slot]++] = part->event;
            else
                start[slot + 1]++;
        }
        if (fill)
            break;
        for (size_t i = 0; i < n; i++)
            start[i + 1] += start[i];
        g->readers = sm_check_alloc(start[n], sizeof *g->readers);
    }
}

static void find_other_locations(struct psc_graph *g)
{
    const struct sm_execution *x = g->x;
    g->other_location = sm_check_alloc(x->events.n, sizeof *g->other_location);
    for (uint32_t e = 0; e < x->events.n; e++) {
        uint32_t before = po_prev(x, e);
        g->other_location[e] =
            before != SM_NONE && same_location(x, before, e) ? g->other_location[before] : before;
    }
}

/* ---- search ---- */

static void enter(struct psc_graph *g, size_t node)
{
    struct path_frame frame = {node, g->todo.n};
    g->colour[node] = 1;
    SM_PUSH(&g->path, frame);
    predecessors(g, node);
}

static void leave(struct psc_graph *g)
{
    const struct path_frame *top = &g->path.at[g->path.n - 1];
    g->colour[top->node] = 2;
    g->path.n--;
}

/* Depth first, backwards from one operation. True if the path from *start to its end is a cycle. */
static bool find_cycle(struct psc_graph *g, uint32_t e, size_t *start)
{
    size_t root = node_of(g, SEQ, e);
    if (g->colour[root])
        return false;
    enter(g, root);
    while (g->path.n) {
        if (g->todo.n == g->path.at[g->path.n - 1].first) {
            leave(g);
            continue;
        }
        size_t next = g->todo.at[--g->todo.n];
        if (g->colour[next] == 0) {
            enter(g, next);
        } else if (g->colour[next] == 1) {
            for (*start = g->path.n - 1; g->path.at[*start].node != next;)
                --*start;
            return true;
        }
    }
    return false;
}

/* ---- cycles ---- */

static bool is_mo_stage(enum stage stage)
{
    return stage == MO || stage == ECO;
}

/* Each path along mo leads from a later store back to an earlier one: a modification order that
   reverses the two does not have this cycle. */
static void collect_reversals(const struct psc_graph *g, const size_t *cycle, size_t n,
                              sm_mo_edges *reversals)
{
    const struct sm_execution *x = g->x;
    uint32_t later = SM_NONE, i, k;
    for (size_t at = 0; at < n; at++) {
        enum stage stage = stage_of(g, cycle[at], &i);
        enum stage next = stage_of(g, cycle[(at + 1) % n], &k);
        if (!is_mo_stage(stage))
            continue;
        if (later == SM_NONE)
            later = x->parts.at[i].event;
        if (is_mo_stage(next))
            continue;
        if (x->mo_prev[i] != SM_NONE) {
            uint32_t earlier = x->parts.at[x->mo_prev[i]].event;
            SM_PUSH(reversals, (struct sm_mo_edge){later, earlier, later, earlier});
        }
        later = SM_NONE;
    }
}

static bool report(struct psc_graph *g, const size_t *cycle, size_t n)
{
    uint32_t events[SM_VERDICT_EVENTS], count = 0, i;
    for (size_t at = n; at-- > 0;)
        if (stage_of(g, cycle[at], &i) == SEQ && count < SM_VERDICT_EVENTS)
            events[count++] = i;
    return sm_broken(g->x, SM_AXIOM_SEQ_CST,
                     count == 1   ? "{0} would come before itself"
                     : count == 2 ? "{0} and {1} would each come before the other"
                                  : "{0}, {1} and {2} would each come before the next",
                     count, events);
}

/* Rotates the cycle to begin at a SEQ node: every cycle has one. */
static bool explain(struct psc_graph *g, size_t start, sm_mo_edges *reversals)
{
    size_t n = g->path.n - start, first = 0;
    size_t *cycle = sm_check_alloc(n, sizeof *cycle);
    uint32_t i;
    while (stage_of(g, g->path.at[start + first].node, &i) != SEQ)
        first++;
    for (size_t at = 0; at < n; at++)
        cycle[at] = g->path.at[start + (first + at) % n].node;
    collect_reversals(g, cycle, n, reversals);
    report(g, cycle, n);
    free(cycle);
    return false;
}

bool sm_check_seq_cst(struct sm_execution *x, sm_mo_edges *reversals)
{
    struct psc_graph g = {.x = x};
    bool ok = true;
    size_t start;
    sm_chains_build(x, SM_IS_READ | SM_IS_WRITE, &g.all);
    find_readers(&g);
    find_other_locations(&g);
    g.colour = sm_check_alloc(node_of(&g, STAGES, 0), 1);
    for (uint32_t e = 0; e < x->events.n && ok; e++)
        if (sm_is(&x->events.at[e], SM_IS_SEQ_CST) && find_cycle(&g, e, &start))
            ok = explain(&g, start, reversals);
    sm_chains_free(&g.all);
    free(g.reader_first);
    free(g.readers);
    free(g.other_location);
    free(g.colour);
    free(g.path.at);
    free(g.todo.at);
    return ok;
}
