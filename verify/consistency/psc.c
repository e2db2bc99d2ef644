#include "verify/consistency/psc.h"

#include <string.h>

#include "verify/pool.h"

/* Relations over the events of a graph, as bit matrices: one row for each event and relation. */
enum relation_name {
    ROW_PREFIX, /* its po-predecessors and itself */
    ROW_SUFFIX, /* its po-successors and itself */
    ROW_HB,
    ROW_HB_PO, /* hb ; po|!=loc */
    ROW_MO_FR, /* mo and fr, closed under mo */
    ROW_READERS,
    ROW_ECO,
    ROW_SCB,
    ROW_PAST, /* of a fence: its hb-predecessors */
    ROW_PSC,
    ROW_SETS, /* after the relations: single rows */
};
enum { SET_SC_EVENTS, SET_SC_FENCES, SET_SCRATCH, N_SETS };

struct relations {
    const struct sm_graph *graph;
    uint32_t n, words;
    uint64_t *rows;
    size_t size;
    uint32_t *first_elsewhere; /* next po-successor that is not at the same location */
    uint32_t *by_thread;       /* events by thread and index */
    uint32_t *events[SM_GRAPH_THREADS];
};

static uint64_t *row(const struct relations *r, enum relation_name name, uint32_t event)
{
    return r->rows + ((size_t)name * r->n + event) * r->words;
}

static uint64_t *set(const struct relations *r, uint32_t which)
{
    return r->rows + ((size_t)ROW_SETS * r->n + which) * r->words;
}

static void add(uint64_t *bits, uint32_t event)
{
    bits[event / 64] |= 1ul << event % 64;
}

static bool has(const uint64_t *bits, uint32_t event)
{
    return bits[event / 64] >> event % 64 & 1;
}

static void add_all(const struct relations *r, uint64_t *to, const uint64_t *from)
{
    for (uint32_t i = 0; i < r->words; i++)
        to[i] |= from[i];
}

static bool intersect(const struct relations *r, const uint64_t *a, const uint64_t *b)
{
    uint64_t common = 0;
    for (uint32_t i = 0; i < r->words; i++)
        common |= a[i] & b[i];
    return common;
}

/* The next event of the set from `event` on; n when there is none. */
static uint32_t next_of(const struct relations *r, const uint64_t *bits, uint32_t event)
{
    for (uint32_t i = event / 64; i < r->words; i++) {
        uint64_t word = bits[i] & (i == event / 64 ? ~0ul << event % 64 : ~0ul);
        if (word)
            return i * 64 + (uint32_t)__builtin_ctzl(word);
    }
    return r->n;
}

#define FOR_EACH_OF(e, r, bits)                                                                    \
    for (uint32_t e = next_of(r, bits, 0); e < (r)->n; e = next_of(r, bits, e + 1))

static void open_relations(struct relations *r, const struct sm_graph *graph)
{
    *r = (struct relations){.graph = graph, .n = graph->n, .words = (graph->n + 63) / 64};
    size_t bits = ((size_t)ROW_SETS * r->n + N_SETS) * r->words * sizeof *r->rows;
    r->size = bits + (size_t)2 * r->n * sizeof *r->first_elsewhere;
    r->rows = sm_pool_get(r->size);
    memset(r->rows, 0, bits);
    r->first_elsewhere = (uint32_t *)((char *)r->rows + bits);
    r->by_thread = r->first_elsewhere + r->n;
}

static void close_relations(struct relations *r)
{
    sm_pool_put(r->rows, r->size);
}

static bool is_access(const struct sm_node *node)
{
    return node->kind == SM_NODE_READ || node->kind == SM_NODE_WRITE;
}

bool sm_psc_has(const struct sm_node *node)
{
    return node->order == SM_ORDER_SEQ_CST && (is_access(node) || node->kind == SM_NODE_FENCE);
}

/* ---- program order and happens-before ---- */

static uint32_t po_before(const struct sm_graph *graph, uint32_t e)
{
    uint32_t pred = graph->nodes[e].pred;
    return pred != SM_NO_NODE && graph->nodes[pred].thread == graph->nodes[e].thread ? pred
                                                                                     : SM_NO_NODE;
}

static bool same_location(const struct sm_graph *graph, uint32_t a, uint32_t b)
{
    const struct sm_node *x = &graph->nodes[a], *y = &graph->nodes[b];
    return is_access(x) && is_access(y) && x->loc == y->loc;
}

/* Within a thread stamps grow with the index, so one pass in each direction suffices. */
static void add_program_order(struct relations *r)
{
    for (uint32_t e = r->n; e-- > 0;)
        r->first_elsewhere[e] = SM_NO_NODE;
    for (uint32_t e = r->n; e-- > 0;) {
        uint32_t before = po_before(r->graph, e);
        add(row(r, ROW_SUFFIX, e), e);
        if (before == SM_NO_NODE)
            continue;
        add_all(r, row(r, ROW_SUFFIX, before), row(r, ROW_SUFFIX, e));
        r->first_elsewhere[before] = same_location(r->graph, before, e) ? r->first_elsewhere[e] : e;
    }
    for (uint32_t e = 0; e < r->n; e++) {
        uint32_t before = po_before(r->graph, e);
        add(row(r, ROW_PREFIX, e), e);
        if (before != SM_NO_NODE)
            add_all(r, row(r, ROW_PREFIX, e), row(r, ROW_PREFIX, before));
    }
}

static void sort_by_thread(struct relations *r)
{
    const struct sm_graph *graph = r->graph;
    uint32_t sum = 0;
    for (uint32_t t = 0; t < graph->lanes; sum += graph->length[t++])
        r->events[t] = r->by_thread + sum;
    for (uint32_t e = 0; e < r->n; e++)
        r->events[graph->nodes[e].thread][graph->nodes[e].index] = e;
}

/* The hb-successors of an event of thread `from` in thread `to` are a suffix of `to`; the later the
   event, the shorter the suffix. hb ; po|!=loc leads to what follows the start of the suffix at
   another location. */
static void add_suffixes(struct relations *r, uint32_t from, uint32_t to)
{
    const struct sm_graph *graph = r->graph;
    for (uint32_t i = 0, at = 0; i < graph->length[from]; i++) {
        uint32_t e = r->events[from][i];
        if (from == to)
            at = i + 1;
        while (at < graph->length[to] && sm_graph_hb(graph, r->events[to][at])->at[from] <= i)
            at++;
        if (at == graph->length[to])
            return;
        uint32_t start = r->events[to][at], behind = r->first_elsewhere[start];
        add_all(r, row(r, ROW_HB, e), row(r, ROW_SUFFIX, start));
        if (behind != SM_NO_NODE)
            add_all(r, row(r, ROW_HB_PO, e), row(r, ROW_SUFFIX, behind));
    }
}

static void add_happens_before(struct relations *r)
{
    sort_by_thread(r);
    for (uint32_t from = 0; from < r->graph->lanes; from++)
        for (uint32_t to = 0; to < r->graph->lanes && r->graph->length[from]; to++)
            if (r->graph->length[to])
                add_suffixes(r, from, to);
}

/* The hb-predecessors of an event: a prefix of each thread. */
static void add_past(const struct relations *r, uint32_t e, uint64_t *to)
{
    for (uint32_t t = 0; t < r->graph->lanes; t++) {
        uint32_t known = sm_graph_hb(r->graph, e)->at[t];
        if (known)
            add_all(r, to, row(r, ROW_PREFIX, r->events[t][known - 1]));
    }
    to[e / 64] &= ~(1ul << e % 64);
}

/* ---- mo, fr, rf, eco ---- */

static void add_mo_fr_rf(struct relations *r)
{
    const struct sm_graph *graph = r->graph;
    for (uint32_t loc = 0; loc < graph->n_locs; loc++) {
        uint64_t *later = set(r, SET_SCRATCH);
        memset(later, 0, r->words * sizeof *later);
        for (uint32_t w = graph->locs[loc].mo_last; w != SM_NO_NODE; w = graph->nodes[w].mo_prev) {
            add_all(r, row(r, ROW_MO_FR, w), later);
            add(later, w);
        }
        for (uint32_t e = graph->locs[loc].newest; e != SM_NO_NODE; e = graph->nodes[e].older) {
            uint32_t rf = graph->nodes[e].rf;
            if (graph->nodes[e].kind != SM_NODE_READ)
                continue;
            add_all(r, row(r, ROW_MO_FR, e), rf == SM_NO_NODE ? later : row(r, ROW_MO_FR, rf));
            if (rf != SM_NO_NODE)
                add(row(r, ROW_READERS, rf), e);
        }
    }
}

/* eco = rf | (mo | fr) ; rf? */
static void add_eco(struct relations *r)
{
    for (uint32_t e = 0; e < r->n; e++) {
        const uint64_t *writes = row(r, ROW_MO_FR, e);
        add_all(r, row(r, ROW_ECO, e), writes);
        add_all(r, row(r, ROW_ECO, e), row(r, ROW_READERS, e));
        FOR_EACH_OF(w, r, writes)
        add_all(r, row(r, ROW_ECO, e), row(r, ROW_READERS, w));
    }
}

/* ---- scb ---- */

static void add_scb(struct relations *r)
{
    const struct sm_graph *graph = r->graph;
    for (uint32_t e = 0; e < r->n; e++) {
        uint64_t *to = row(r, ROW_SCB, e);
        uint32_t behind = r->first_elsewhere[e];
        add_all(r, to, row(r, ROW_SUFFIX, e));
        to[e / 64] &= ~(1ul << e % 64);
        add_all(r, to, row(r, ROW_MO_FR, e));
        if (behind != SM_NO_NODE)
            add_all(r, to, row(r, ROW_HB_PO, behind));
        for (uint32_t a = is_access(&graph->nodes[e]) ? graph->locs[graph->nodes[e].loc].newest
                                                      : SM_NO_NODE;
             a != SM_NO_NODE; a = graph->nodes[a].older)
            if (is_access(&graph->nodes[a]) && has(row(r, ROW_HB, e), a))
                add(to, a);
    }
}

/* ---- psc ---- */

/* Adds the seq_cst events among `reached`, and the seq_cst fences that are hb-after one of
   `reached`. */
static void add_ends(struct relations *r, uint32_t a, const uint64_t *reached)
{
    uint64_t *to = row(r, ROW_PSC, a);
    for (uint32_t i = 0; i < r->words; i++)
        to[i] |= reached[i] & set(r, SET_SC_EVENTS)[i];
    FOR_EACH_OF(b, r, set(r, SET_SC_FENCES))
    if (intersect(r, reached, row(r, ROW_PAST, b)))
        add(to, b);
}

static void add_psc_of_fence(struct relations *r, uint32_t a)
{
    uint64_t *reached = set(r, SET_SCRATCH);
    memcpy(reached, row(r, ROW_SCB, a), r->words * sizeof *reached);
    FOR_EACH_OF(x, r, row(r, ROW_HB, a))
    {
        add_all(r, reached, row(r, ROW_SCB, x));
        add_all(r, reached, row(r, ROW_ECO, x));
        if (has(set(r, SET_SC_FENCES), x))
            add(row(r, ROW_PSC, a), x);
    }
    add_ends(r, a, reached);
}

static void find_sc_events(struct relations *r)
{
    for (uint32_t e = 0; e < r->n; e++) {
        if (!sm_psc_has(&r->graph->nodes[e]))
            continue;
        add(set(r, SET_SC_EVENTS), e);
        if (r->graph->nodes[e].kind != SM_NODE_FENCE)
            continue;
        add(set(r, SET_SC_FENCES), e);
        add_past(r, e, row(r, ROW_PAST, e));
    }
}

static void add_psc(struct relations *r)
{
    FOR_EACH_OF(a, r, set(r, SET_SC_EVENTS))
    if (has(set(r, SET_SC_FENCES), a))
        add_psc_of_fence(r, a);
    else
        add_ends(r, a, row(r, ROW_SCB, a));
}

/* Removes events without a successor until none is left, or each has one: then there is a cycle. */
static bool is_acyclic(struct relations *r)
{
    uint64_t *left = set(r, SET_SC_EVENTS);
    for (bool removed = true; removed;) {
        removed = false;
        FOR_EACH_OF(e, r, left)
        {
            if (intersect(r, row(r, ROW_PSC, e), left))
                continue;
            left[e / 64] &= ~(1ul << e % 64);
            removed = true;
        }
    }
    return next_of(r, left, 0) == r->n;
}

bool sm_psc_is_acyclic(const struct sm_graph *graph)
{
    struct relations r;
    open_relations(&r, graph);
    add_program_order(&r);
    add_happens_before(&r);
    add_mo_fr_rf(&r);
    add_scb(&r);
    find_sc_events(&r);
    if (next_of(&r, set(&r, SET_SC_FENCES), 0) < r.n)
        add_eco(&r);
    add_psc(&r);
    bool acyclic = is_acyclic(&r);
    close_relations(&r);
    return acyclic;
}
