#include "checker/modification.h"

#include <stdlib.h>
#include <string.h>

/* ---- constraints ---- */

static uint32_t store_seen(const struct sm_execution *x, uint32_t part)
{
    uint32_t source = x->parts.at[part].source;
    return source == SM_FROM_INITIAL ? SM_FROM_INITIAL : x->parts.at[source].event;
}

/* The store that the access wrote, or else read. */
static uint32_t store_left(const struct sm_execution *x, uint32_t part)
{
    return sm_is(sm_event_of_part(x, part), SM_IS_WRITE) ? x->parts.at[part].event
                                                         : store_seen(x, part);
}

/* The store that it read, or else wrote. */
static uint32_t store_met(const struct sm_execution *x, uint32_t part)
{
    return sm_is(sm_event_of_part(x, part), SM_IS_READ) ? store_seen(x, part)
                                                        : x->parts.at[part].event;
}

/* Part q happens before part p, at the same cell. */
static bool add_edge(struct sm_execution *x, uint32_t q, uint32_t p, sm_mo_edges *edges)
{
    uint32_t from = store_left(x, q), to = store_met(x, p);
    uint32_t a = x->parts.at[q].event, b = x->parts.at[p].event;
    if (from == to || from == SM_FROM_INITIAL)
        return true;
    if (to == SM_FROM_INITIAL)
        return SM_BROKEN(x, COHERENCE, "{0} reads the initial value after {1} wrote or saw {2}", b,
                         a, from);
    SM_PUSH(edges, (struct sm_mo_edge){from, to, a, b});
    return true;
}

/* If a thread has acquired nothing since its last access of the cell, the edge from that access
   and its own edges imply those from other threads. */
static bool happens_before_edges(struct sm_modification *m, uint32_t p, sm_mo_edges *edges)
{
    struct sm_execution *x = m->x;
    const struct sm_chains *chains = &m->coherent;
    const struct sm_event_part *part = &x->parts.at[p];
    uint32_t at = chains->position[p];
    if (at) {
        uint32_t q = chains->parts[at - 1];
        const struct sm_checked_event *before = sm_event_of_part(x, q);
        if (x->parts.at[q].cell == part->cell &&
            before->thread == x->events.at[part->event].thread &&
            before->clock == x->events.at[part->event].clock)
            return add_edge(x, q, p, edges);
    }
    for (uint32_t c = chains->cell_first[part->cell]; c < chains->cell_first[part->cell + 1]; c++) {
        uint32_t q = sm_chain_last(x, chains, &chains->chains[c], part->event);
        if (q != SM_NONE && !add_edge(x, q, p, edges))
            return false;
    }
    return true;
}

/* Where a store was read only in part, the rest is from a later store. */
static bool composition_edges(struct sm_execution *x, uint32_t e, sm_mo_edges *edges)
{
    const struct sm_checked_event *event = &x->events.at[e];
    for (uint32_t p = event->part; p < event->part + event->n_parts; p++) {
        uint32_t seen = store_seen(x, p);
        for (uint32_t q = event->part; q < event->part + event->n_parts; q++) {
            uint32_t other = store_seen(x, q);
            if (seen == SM_FROM_INITIAL || seen == other ||
                sm_part_at(x, seen, x->parts.at[q].cell) == SM_NONE)
                continue;
            if (other == SM_FROM_INITIAL)
                return SM_BROKEN(x, TEARING, "{0} sees {1} only in part", e, seen);
            SM_PUSH(edges, (struct sm_mo_edge){seen, other, e, e});
        }
    }
    return true;
}

/* An RMW of an initial value comes before every other store of its cell. */
static void first_edges(const struct sm_modification *m, uint32_t p, sm_mo_edges *edges)
{
    const struct sm_execution *x = m->x;
    uint32_t cell = x->parts.at[p].cell, e = x->parts.at[p].event;
    const struct sm_chains *chains = &m->coherent;
    for (uint32_t c = chains->cell_first[cell]; c < chains->cell_first[cell + 1]; c++)
        for (uint32_t i = 0; i < chains->chains[c].n; i++) {
            uint32_t other = x->parts.at[chains->parts[chains->chains[c].first + i]].event;
            if (other != e && sm_is(&x->events.at[other], SM_IS_WRITE))
                SM_PUSH(edges, (struct sm_mo_edge){e, other, e, other});
        }
}

static void rmw_edges(const struct sm_modification *m, uint32_t e, sm_mo_edges *edges)
{
    const struct sm_execution *x = m->x;
    const struct sm_checked_event *event = &x->events.at[e];
    for (uint32_t p = event->part; p < event->part + event->n_parts; p++) {
        uint32_t seen = store_seen(x, p);
        if (seen == SM_FROM_INITIAL)
            first_edges(m, p, edges);
        else
            SM_PUSH(edges, (struct sm_mo_edge){seen, e, e, e});
    }
}

static bool constraints(struct sm_modification *m, uint32_t location, sm_mo_edges *edges)
{
    struct sm_execution *x = m->x;
    for (uint32_t i = m->location_first[location]; i < m->location_first[location + 1]; i++) {
        uint32_t e = m->by_location[i];
        const struct sm_checked_event *event = &x->events.at[e];
        for (uint32_t p = event->part; p < event->part + event->n_parts; p++)
            if (!happens_before_edges(m, p, edges))
                return false;
        if (sm_is(event, SM_IS_READ) && event->n_parts > 1 && !composition_edges(x, e, edges))
            return false;
        if (sm_is(event, SM_IS_READ | SM_IS_WRITE))
            rmw_edges(m, e, edges);
    }
    for (size_t i = 0; i < m->decided.n; i++)
        if (x->events.at[m->decided.at[i].from].location == location)
            SM_PUSH(edges, m->decided.at[i]);
    return true;
}

/* ---- linear extension of one location's constraints ---- */

struct sorter {
    struct sm_modification *m;
    const sm_mo_edges *edges;
    uint32_t *stores; /* events, in the order of the trace */
    uint32_t n;
    uint32_t *block;           /* by store: the first store of the RMW chain it is glued to */
    uint32_t *after;           /* by store: the RMW glued to it, or SM_NONE */
    uint32_t *waits;           /* by block: number of edges from blocks not yet placed */
    uint32_t *out_first, *out; /* by block: edges to other blocks */
    SM_VECTOR(uint32_t) heap;  /* blocks without waits, earliest on top */
};

/* Stores of a location are numbered 0..n-1; position[] holds the number until they are placed. */
static uint32_t number(const struct sorter *s, uint32_t event)
{
    return s->m->position[event];
}

/* An RMW of exactly the cells of the store that it reads from is its immediate successor in every
   order. Others are left to check_atomicity. */
static uint32_t glued_to(const struct sm_execution *x, uint32_t e)
{
    const struct sm_checked_event *event = &x->events.at[e];
    if (!sm_is(event, SM_IS_READ | SM_IS_WRITE))
        return SM_NONE;
    uint32_t w = store_seen(x, event->part);
    for (uint32_t p = event->part; p < event->part + event->n_parts; p++)
        if (store_seen(x, p) != w)
            return SM_NONE;
    return w != SM_FROM_INITIAL && x->events.at[w].n_parts == event->n_parts ? w : SM_NONE;
}

static bool glue(struct sorter *s)
{
    struct sm_execution *x = s->m->x;
    for (uint32_t i = 0; i < s->n; i++)
        s->after[i] = SM_NONE;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t w = glued_to(x, s->stores[i]);
        s->block[i] = w == SM_NONE ? i : s->block[number(s, w)];
        if (w == SM_NONE)
            continue;
        uint32_t *after = &s->after[number(s, w)];
        if (*after != SM_NONE)
            return SM_BROKEN(x, ATOMICITY, "{0} and {1} both read from {2}", s->stores[*after],
                             s->stores[i], w);
        *after = i;
    }
    return true;
}

static void heap_push(struct sorter *s, uint32_t block)
{
    SM_PUSH(&s->heap, block);
    for (size_t i = s->heap.n - 1; i && s->heap.at[i] < s->heap.at[(i - 1) / 2]; i = (i - 1) / 2) {
        uint32_t up = s->heap.at[i];
        s->heap.at[i] = s->heap.at[(i - 1) / 2];
        s->heap.at[(i - 1) / 2] = up;
    }
}

static uint32_t heap_pop(struct sorter *s)
{
    uint32_t top = s->heap.at[0], moved = s->heap.at[--s->heap.n];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < s->heap.n; i = child) {
        child += child + 1 < s->heap.n && s->heap.at[child + 1] < s->heap.at[child];
        if (s->heap.at[child] >= moved)
            break;
        s->heap.at[i] = s->heap.at[child];
    }
    s->heap.at[i] = moved;
    return top;
}

static void link_blocks(struct sorter *s)
{
    for (size_t i = 0; i < s->edges->n; i++) {
        uint32_t from = s->block[number(s, s->edges->at[i].from)];
        s->out_first[from + 1]++;
    }
    for (uint32_t b = 0; b < s->n; b++)
        s->out_first[b + 1] += s->out_first[b];
    uint32_t *fill = sm_check_alloc(s->n, sizeof *fill);
    for (uint32_t i = 0; i < s->edges->n; i++) {
        uint32_t from = s->block[number(s, s->edges->at[i].from)];
        s->out[s->out_first[from] + fill[from]++] = i;
        s->waits[s->block[number(s, s->edges->at[i].to)]] +=
            from != s->block[number(s, s->edges->at[i].to)];
    }
    free(fill);
}

/* Within a chain of RMWs the order is fixed. */
static bool check_chains(struct sorter *s, const uint32_t *rank)
{
    for (size_t i = 0; i < s->edges->n; i++) {
        const struct sm_mo_edge *edge = &s->edges->at[i];
        uint32_t from = number(s, edge->from), to = number(s, edge->to);
        if (s->block[from] == s->block[to] && rank[from] > rank[to])
            return SM_BROKEN(s->m->x, COHERENCE,
                             "{0} before {1} puts {2} before {3}, against the RMWs between them",
                             edge->a, edge->b, edge->from, edge->to);
    }
    return true;
}

/* Places the blocks, earliest first; rank is each store's position. Returns how many stores were
   placed: fewer than n if there is a cycle. */
static uint32_t place(struct sorter *s, uint32_t *rank)
{
    uint32_t placed = 0;
    for (uint32_t b = 0; b < s->n; b++)
        if (s->block[b] == b && !s->waits[b])
            heap_push(s, b);
    while (s->heap.n) {
        uint32_t b = heap_pop(s);
        for (uint32_t i = b; i != SM_NONE; i = s->after[i])
            rank[i] = placed++;
        for (uint32_t i = s->out_first[b]; i < s->out_first[b + 1]; i++) {
            uint32_t to = s->block[number(s, s->edges->at[s->out[i]].to)];
            if (to != b && --s->waits[to] == 0)
                heap_push(s, to);
        }
    }
    return placed;
}

/* An edge into the block from another unplaced one. */
static const struct sm_mo_edge *edge_into(const struct sorter *s, uint32_t block)
{
    for (size_t i = 0; i < s->edges->n; i++) {
        const struct sm_mo_edge *edge = &s->edges->at[i];
        uint32_t from = s->block[number(s, edge->from)];
        if (s->block[number(s, edge->to)] == block && from != block && s->waits[from])
            return edge;
    }
    return NULL;
}

static uint32_t add_once(uint32_t *list, uint32_t n, uint32_t event)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == event)
            return n;
    if (n < SM_VERDICT_EVENTS)
        list[n++] = event;
    return n;
}

/* Follows edges backwards among unplaced blocks until one repeats. */
static uint32_t block_on_cycle(const struct sorter *s)
{
    uint8_t *seen = sm_check_alloc(s->n, 1);
    uint32_t b = 0;
    while (s->block[b] != b || !s->waits[b])
        b++;
    while (!seen[b]) {
        seen[b] = 1;
        b = s->block[number(s, edge_into(s, b)->from)];
    }
    free(seen);
    return b;
}

static bool report_cycle(struct sorter *s)
{
    uint32_t events[SM_VERDICT_EVENTS] = {0}, n = 0;
    uint32_t start = block_on_cycle(s), b = start;
    bool through_rmw = false;
    do {
        const struct sm_mo_edge *edge = edge_into(s, b);
        n = add_once(events, n, edge->a);
        n = add_once(events, n, edge->b);
        through_rmw |= s->after[b] != SM_NONE;
        b = s->block[number(s, edge->from)];
    } while (b != start);
    return sm_broken(s->m->x, through_rmw ? SM_AXIOM_ATOMICITY : SM_AXIOM_COHERENCE,
                     n == 1   ? "no modification order suits {0}"
                     : n == 2 ? "no modification order suits {0} and {1}"
                              : "no modification order suits {0}, {1} and {2}",
                     n, events);
}

static bool sort(struct sorter *s)
{
    uint32_t *rank = sm_check_alloc(s->n, sizeof *rank);
    bool ok = glue(s);
    if (ok) {
        link_blocks(s);
        ok = place(s, rank) == s->n ? check_chains(s, rank) : report_cycle(s);
    }
    for (uint32_t i = 0; i < s->n && ok; i++)
        s->m->position[s->stores[i]] = rank[i];
    free(rank);
    return ok;
}

static bool run_sorter(struct sm_modification *m, const sm_mo_edges *edges, uint32_t *stores,
                       uint32_t n)
{
    struct sorter s = {.m = m, .edges = edges, .stores = stores, .n = n};
    s.block = sm_check_alloc(n, sizeof *s.block);
    s.after = sm_check_alloc(n, sizeof *s.after);
    s.waits = sm_check_alloc(n, sizeof *s.waits);
    s.out_first = sm_check_alloc(n + 1ul, sizeof *s.out_first);
    s.out = sm_check_alloc(edges->n, sizeof *s.out);
    bool ok = sort(&s);
    free(s.block);
    free(s.after);
    free(s.waits);
    free(s.out_first);
    free(s.out);
    free(s.heap.at);
    return ok;
}

/* ---- neighbours in modification order ---- */

static int by_cell_and_position(const void *a, const void *b, void *context)
{
    const struct sm_modification *m = context;
    const struct sm_event_part *p = &m->x->parts.at[*(const uint32_t *)a];
    const struct sm_event_part *q = &m->x->parts.at[*(const uint32_t *)b];
    if (p->cell != q->cell)
        return p->cell < q->cell ? -1 : 1;
    return m->position[p->event] < m->position[q->event] ? -1 : 1;
}

static void link_stores(struct sm_modification *m, const uint32_t *stores, uint32_t n)
{
    struct sm_execution *x = m->x;
    SM_VECTOR(uint32_t) parts = {0};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < x->events.at[stores[i]].n_parts; k++)
            SM_PUSH(&parts, x->events.at[stores[i]].part + k);
    if (parts.n)
        qsort_r(parts.at, parts.n, sizeof *parts.at, by_cell_and_position, m);
    for (size_t i = 0; i < parts.n; i++) {
        uint32_t p = parts.at[i];
        bool first = i == 0 || x->parts.at[parts.at[i - 1]].cell != x->parts.at[p].cell;
        x->mo_prev[p] = first ? SM_NONE : parts.at[i - 1];
    }
    free(parts.at);
}

uint32_t sm_mo_between(const struct sm_execution *x, uint32_t p)
{
    uint32_t prev = x->mo_prev[p], source = x->parts.at[p].source;
    if (!sm_is(sm_event_of_part(x, p), SM_IS_READ) || prev == source)
        return SM_NONE;
    return prev;
}

static bool is_atomic(const struct sm_execution *x, const uint32_t *stores, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < x->events.at[stores[i]].n_parts; k++)
            if (sm_mo_between(x, x->events.at[stores[i]].part + k) != SM_NONE)
                return false;
    return true;
}

/* ---- interface ---- */

static bool points_backwards(const sm_mo_edges *edges)
{
    for (size_t i = 0; i < edges->n; i++)
        if (edges->at[i].from > edges->at[i].to)
            return true;
    return false;
}

static bool order_stores(struct sm_modification *m, const sm_mo_edges *edges, uint32_t *stores,
                         uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        m->position[stores[i]] = i;
    if (!points_backwards(edges)) {
        link_stores(m, stores, n);
        if (is_atomic(m->x, stores, n))
            return true;
    }
    m->in_trace_order = false;
    if (!run_sorter(m, edges, stores, n))
        return false;
    link_stores(m, stores, n);
    return true;
}

bool sm_modification_order(struct sm_modification *m, uint32_t location)
{
    const struct sm_execution *x = m->x;
    uint32_t first = m->location_first[location], end = m->location_first[location + 1], n = 0;
    uint32_t *stores = sm_check_alloc(end - first, sizeof *stores);
    sm_mo_edges edges = {0};
    for (uint32_t i = first; i < end; i++)
        if (sm_is(&x->events.at[m->by_location[i]], SM_IS_WRITE))
            stores[n++] = m->by_location[i];
    bool ok = constraints(m, location, &edges) && order_stores(m, &edges, stores, n);
    free(edges.at);
    free(stores);
    return ok;
}

static void sort_by_location(struct sm_modification *m)
{
    const struct sm_execution *x = m->x;
    m->location_first = sm_check_alloc(x->n_cells + 2ul, sizeof *m->location_first);
    uint32_t *start =
        m->location_first + 1; /* shifted by one, so that filling moves it into place */
    for (uint32_t e = 0; e < x->events.n; e++)
        if (sm_is(&x->events.at[e], SM_IS_COHERENT))
            start[x->events.at[e].location + 1]++;
    for (uint32_t c = 0; c < x->n_cells; c++)
        start[c + 1] += start[c];
    m->by_location = sm_check_alloc(start[x->n_cells], sizeof *m->by_location);
    for (uint32_t e = 0; e < x->events.n; e++)
        if (sm_is(&x->events.at[e], SM_IS_COHERENT))
            m->by_location[start[x->events.at[e].location]++] = e;
}

/* Does every coherent read return the newest store in trace order? */
static bool reads_are_new(const struct sm_execution *x)
{
    uint32_t *newest = sm_check_alloc(x->n_cells, sizeof *newest);
    bool yes = true;
    for (uint32_t c = 0; c < x->n_cells; c++)
        newest[c] = SM_FROM_INITIAL;
    for (uint32_t p = 0; p < x->parts.n && yes; p++) {
        const struct sm_event_part *part = &x->parts.at[p];
        const struct sm_checked_event *event = &x->events.at[part->event];
        if (sm_is(event, SM_IS_READ | SM_IS_COHERENT))
            yes = part->source == newest[part->cell];
        if (sm_is(event, SM_IS_WRITE))
            newest[part->cell] = p;
    }
    free(newest);
    return yes;
}

bool sm_modification_start(struct sm_modification *m)
{
    struct sm_execution *x = m->x;
    x->mo_prev = sm_check_alloc(x->parts.n, sizeof *x->mo_prev);
    m->position = sm_check_alloc(x->events.n, sizeof *m->position);
    sm_chains_build(x, SM_IS_COHERENT, &m->coherent);
    sort_by_location(m);
    m->in_trace_order = reads_are_new(x);
    for (uint32_t c = 0; c < x->n_cells; c++)
        if (m->location_first[c] < m->location_first[c + 1] && !sm_modification_order(m, c))
            return false;
    return true;
}

void sm_modification_free(struct sm_modification *m)
{
    sm_chains_free(&m->coherent);
    free(m->by_location);
    free(m->location_first);
    free(m->position);
    free(m->decided.at);
}
