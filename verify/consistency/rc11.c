#include "verify/consistency/rc11.h"

#include <string.h>

#include "abi/site.h"
#include "verify/pool.h"

/* ---- coherence ---- */

static const struct sm_vector *known_to(const struct sm_graph *graph, uint32_t access)
{
    static const struct sm_vector nothing;
    uint32_t pred = access == SM_NO_NODE ? SM_NO_NODE : graph->nodes[access].pred;
    return pred == SM_NO_NODE ? &nothing : &graph->clocks[pred].hb;
}

/* Marks the writes of the location that happen before one of the two accesses, or a read of which
   does. */
static void mark_known(const struct sm_graph *graph, uint16_t loc, const struct sm_vector *a,
                       const struct sm_vector *b, struct sm_marks marks)
{
    for (uint32_t e = graph->locs[loc].newest; e != SM_NO_NODE; e = graph->nodes[e].older) {
        const struct sm_node *node = &graph->nodes[e];
        uint32_t write = node->kind == SM_NODE_READ ? node->rf : e;
        if (write != SM_NO_NODE && (sm_vector_has(a, node) || sm_vector_has(b, node)))
            marks.at[2 * write] = marks.epoch;
    }
}

uint32_t sm_rc11_bound(const struct sm_graph *graph, uint32_t access, uint32_t other,
                       struct sm_marks marks)
{
    const struct sm_vector *a = known_to(graph, access);
    const struct sm_vector *b = other == SM_NO_NODE ? a : known_to(graph, other);
    uint16_t loc = graph->nodes[access].loc;
    uint32_t write = graph->locs[loc].mo_last;
    if (write == SM_NO_NODE || sm_vector_has(a, &graph->nodes[write]))
        return write;
    mark_known(graph, loc, a, b, marks);
    while (write != SM_NO_NODE && marks.at[2 * write] != marks.epoch)
        write = graph->nodes[write].mo_prev;
    return write;
}

/* ---- seq_cst ---- */

/* A relation over the nodes: a row of bits for each. */
struct relation {
    uint32_t n, words;
    uint64_t *rows;
};

static struct relation new_relation(uint32_t n)
{
    struct relation relation = {.n = n, .words = (n + 63) / 64};
    size_t size = (size_t)n * relation.words * sizeof *relation.rows;
    relation.rows = memset(sm_pool_get(size), 0, size);
    return relation;
}

static void free_relation(struct relation *relation)
{
    sm_pool_put(relation->rows, (size_t)relation->n * relation->words * sizeof *relation->rows);
}

static uint64_t *row(const struct relation *relation, uint32_t a)
{
    return relation->rows + (size_t)a * relation->words;
}

static void relate(struct relation *relation, uint32_t a, uint32_t b)
{
    row(relation, a)[b / 64] |= 1ul << b % 64;
}

static bool related(const struct relation *relation, uint32_t a, uint32_t b)
{
    return row(relation, a)[b / 64] >> b % 64 & 1;
}

static void add_row(const struct relation *relation, uint64_t *to, const uint64_t *from)
{
    for (uint32_t i = 0; i < relation->words; i++)
        to[i] |= from[i];
}

static bool happens_before(const struct sm_graph *graph, uint32_t a, uint32_t b)
{
    return a != b && sm_vector_has(&graph->clocks[b].hb, &graph->nodes[a]);
}

static bool is_access(const struct sm_node *node)
{
    return node->kind == SM_NODE_READ || node->kind == SM_NODE_WRITE;
}

static bool same_location(const struct sm_graph *graph, uint32_t a, uint32_t b)
{
    const struct sm_node *x = &graph->nodes[a], *y = &graph->nodes[b];
    return is_access(x) && is_access(y) && x->loc == y->loc;
}

static bool is_fence(const struct sm_graph *graph, uint32_t e)
{
    const struct sm_node *node = &graph->nodes[e];
    return node->kind == SM_NODE_FENCE && node->order == SM_ORDER_SEQ_CST;
}

static bool is_sc(const struct sm_graph *graph, uint32_t e)
{
    const struct sm_node *node = &graph->nodes[e];
    return is_fence(graph, e) || (is_access(node) && node->order == SM_ORDER_SEQ_CST);
}

/* mo and fr, with everything that lies behind in modification order. */
static void add_mo_and_fr(const struct sm_graph *graph, struct relation *to)
{
    for (uint32_t e = 0; e < graph->n; e++) {
        const struct sm_node *node = &graph->nodes[e];
        if (!is_access(node))
            continue;
        uint32_t from = node->kind == SM_NODE_WRITE ? e : node->rf;
        for (uint32_t w = sm_graph_next(graph, node->loc, from); w != SM_NO_NODE;
             w = graph->nodes[w].mo_next)
            relate(to, e, w);
    }
}

static bool in_po(const struct sm_graph *graph, uint32_t a, uint32_t b)
{
    return graph->nodes[a].thread == graph->nodes[b].thread &&
           graph->nodes[a].index < graph->nodes[b].index;
}

/* po to another location; then hb; then po from another location. The first event behind a
   and the last before b that will do are the best. */
static bool goes_around(const struct sm_graph *graph, uint32_t a, uint32_t b)
{
    uint32_t first = SM_NO_NODE, last = SM_NO_NODE;
    for (uint32_t e = 0; e < graph->n; e++) {
        if (in_po(graph, a, e) && !same_location(graph, a, e) &&
            (first == SM_NO_NODE || graph->nodes[e].index < graph->nodes[first].index))
            first = e;
        if (in_po(graph, e, b) && !same_location(graph, e, b) &&
            (last == SM_NO_NODE || graph->nodes[e].index > graph->nodes[last].index))
            last = e;
    }
    return first != SM_NO_NODE && last != SM_NO_NODE && happens_before(graph, first, last);
}

static struct relation sc_before(const struct sm_graph *graph)
{
    struct relation scb = new_relation(graph->n);
    add_mo_and_fr(graph, &scb);
    for (uint32_t a = 0; a < graph->n; a++)
        for (uint32_t b = 0; b < graph->n; b++)
            if (happens_before(graph, a, b) &&
                (in_po(graph, a, b) || same_location(graph, a, b) || goes_around(graph, a, b)))
                relate(&scb, a, b);
    return scb;
}

/* eco: rf, and mo and fr with or without an rf behind them. */
static struct relation extended_coherence(const struct sm_graph *graph)
{
    struct relation eco = new_relation(graph->n);
    add_mo_and_fr(graph, &eco);
    for (uint32_t r = 0; r < graph->n; r++) {
        const struct sm_node *read = &graph->nodes[r];
        if (read->kind != SM_NODE_READ || read->rf == SM_NO_NODE)
            continue;
        for (uint32_t a = 0; a < graph->n; a++)
            if (a == read->rf || (a != r && related(&eco, a, read->rf)))
                relate(&eco, a, r);
    }
    return eco;
}

/* What `a` is before: a itself and, for a fence, what it happens before, through `link`. */
static void targets(const struct sm_graph *graph, const struct relation *link, uint32_t a,
                    uint64_t *to)
{
    add_row(link, to, row(link, a));
    if (!is_fence(graph, a))
        return;
    for (uint32_t x = 0; x < graph->n; x++)
        if (happens_before(graph, a, x))
            add_row(link, to, row(link, x));
}

static bool hits(const struct sm_graph *graph, const uint64_t *set, uint32_t b)
{
    if (set[b / 64] >> b % 64 & 1)
        return true;
    if (!is_fence(graph, b))
        return false;
    for (uint32_t y = 0; y < graph->n; y++)
        if ((set[y / 64] >> y % 64 & 1) && happens_before(graph, y, b))
            return true;
    return false;
}

static struct relation psc(const struct sm_graph *graph)
{
    struct relation scb = sc_before(graph), eco = extended_coherence(graph);
    struct relation result = new_relation(graph->n);
    struct relation reached = new_relation(graph->n);
    for (uint32_t a = 0; a < graph->n; a++) {
        if (!is_sc(graph, a))
            continue;
        uint64_t *base = row(&reached, a);
        targets(graph, &scb, a, base);
        for (uint32_t b = 0; b < graph->n; b++)
            if (is_sc(graph, b) && hits(graph, base, b))
                relate(&result, a, b);
        if (!is_fence(graph, a))
            continue;
        memset(base, 0, reached.words * sizeof *base);
        for (uint32_t x = 0; x < graph->n; x++)
            if (happens_before(graph, a, x))
                add_row(&reached, base, row(&eco, x));
        for (uint32_t b = 0; b < graph->n; b++)
            if (is_fence(graph, b) && (happens_before(graph, a, b) || hits(graph, base, b)))
                relate(&result, a, b);
    }
    free_relation(&reached);
    free_relation(&eco);
    free_relation(&scb);
    return result;
}

/* Takes away nodes that nothing points to until nothing is left, or a circle. */
static bool is_acyclic(const struct sm_graph *graph, const struct relation *relation)
{
    bool removed = true;
    uint32_t left = 0;
    uint8_t *gone = memset(sm_pool_get(graph->n), 0, graph->n);
    for (uint32_t e = 0; e < graph->n; e++)
        left += !(gone[e] = !is_sc(graph, e));
    while (left && removed) {
        removed = false;
        for (uint32_t e = 0; e < graph->n; e++) {
            bool pointed_to = gone[e];
            for (uint32_t a = 0; a < graph->n && !pointed_to; a++)
                pointed_to = !gone[a] && related(relation, a, e);
            if (pointed_to)
                continue;
            gone[e] = 1;
            removed = true;
            left--;
        }
    }
    sm_pool_put(gone, graph->n);
    return left == 0;
}

/* ---- short cuts ---- */

/* A search through everything that comes before a node by po, rf, mo and fr. */
struct walk {
    const struct sm_graph *graph;
    bool across; /* also from a thread's creation and end */
    uint8_t *colors;
    uint32_t *stack;
    uint32_t n;
    bool circle;
};
enum { WHITE, GREY, BLACK, LEAVE = 1u << 31 };

static void step_back(struct walk *walk, uint32_t e)
{
    if (e == SM_NO_NODE || walk->colors[e] == BLACK)
        return;
    walk->circle |= walk->colors[e] == GREY;
    if (walk->colors[e] == WHITE)
        walk->stack[walk->n++] = e;
}

static bool is_departure(const struct walk *walk, const struct sm_node *node)
{
    return walk->across && node->kind == SM_NODE_DEPART;
}

static void step_back_from(struct walk *walk, uint32_t e)
{
    const struct sm_graph *graph = walk->graph;
    const struct sm_node *node = &graph->nodes[e];
    if (node->pred != SM_NO_NODE &&
        (walk->across || graph->nodes[node->pred].thread == node->thread))
        step_back(walk, node->pred);
    if (node->kind == SM_NODE_READ || (node->kind == SM_NODE_JOIN && walk->across))
        step_back(walk, node->rf);
    for (uint32_t a = is_departure(walk, node) ? graph->locs[node->loc].newest : SM_NO_NODE;
         a != SM_NO_NODE; a = graph->nodes[a].older)
        if (sm_node_departs_after(node, &graph->nodes[a]))
            step_back(walk, a);
    if (node->kind != SM_NODE_WRITE)
        return;
    step_back(walk, node->mo_prev);
    for (uint32_t r = graph->locs[node->loc].newest; r != SM_NO_NODE; r = graph->nodes[r].older)
        if (graph->nodes[r].kind == SM_NODE_READ && graph->nodes[r].rf == node->mo_prev && r != e)
            step_back(walk, r);
}

static void walk_from(struct walk *walk, uint32_t start)
{
    step_back(walk, start);
    while (walk->n && !walk->circle) {
        uint32_t e = walk->stack[--walk->n];
        if (e & LEAVE) {
            walk->colors[e & ~LEAVE] = BLACK;
        } else if (walk->colors[e] == WHITE) {
            walk->colors[e] = GREY;
            walk->stack[walk->n++] = e | LEAVE;
            step_back_from(walk, e);
        }
    }
}

static bool is_sequential(const struct sm_graph *graph, bool across)
{
    /* Every node is pushed at most once for each edge into it: po, rf, mo, and one fr a read; or,
       an arrival, by each departure. */
    size_t room = (size_t)graph->n * (6 + SM_GRAPH_THREADS) * sizeof(uint32_t);
    struct walk walk = {.graph = graph, .across = across};
    walk.colors = memset(sm_pool_get(graph->n), 0, graph->n);
    walk.stack = sm_pool_get(room);
    for (uint32_t e = 0; e < graph->n && !walk.circle; e++)
        if (walk.colors[e] == WHITE)
            walk_from(&walk, e);
    sm_pool_put(walk.colors, graph->n);
    sm_pool_put(walk.stack, room);
    return !walk.circle;
}

bool sm_rc11_is_sequential(const struct sm_graph *graph)
{
    return is_sequential(graph, true);
}

static bool all_is_sc(const struct sm_graph *graph)
{
    for (uint32_t e = 0; e < graph->n; e++)
        if (is_access(&graph->nodes[e]) && !is_sc(graph, e))
            return false;
    return true;
}

/* psc lies within po, rf, mo and fr: where these have no circle it has none. Where every access
   is seq_cst they lie within psc too. Only what is left needs psc itself. */
bool sm_rc11_sc_holds(struct sm_graph *graph)
{
    if (is_sequential(graph, true)) {
        graph->n_ordered = graph->n;
        return true;
    }
    if (all_is_sc(graph) && !is_sequential(graph, false))
        return false;
    struct relation relation = psc(graph);
    bool holds = is_acyclic(graph, &relation);
    free_relation(&relation);
    return holds;
}
