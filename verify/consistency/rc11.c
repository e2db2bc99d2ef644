#include "verify/consistency/rc11.h"

#include <string.h>

#include "runtime/control.h"
#include "verify/consistency/psc.h"
#include "verify/pool.h"

/* ---- coherence ---- */

static const struct sm_vector *known_to(const struct sm_graph *graph, uint32_t access)
{
    static const struct sm_vector nothing;
    uint32_t pred = access == SM_NO_NODE ? SM_NO_NODE : graph->nodes[access].pred;
    return pred == SM_NO_NODE ? &nothing : sm_graph_hb(graph, pred);
}

/* Marks the writes of the location that happen before one of the two accesses, or are read by a
   read that does. */
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

/* ---- sequential consistency as a shortcut ---- */

/* A search through all predecessors of a node by po, rf, mo and fr. */
struct order_walk {
    const struct sm_graph *graph;
    bool across;  /* also along creation, joins and barriers */
    bool partial; /* mo and fr only from strong accesses (axioms.h) */
    uint8_t *colors;
    uint32_t *stack;
    uint32_t n;
    bool circle;
};
enum { WHITE, GREY, BLACK, LEAVE = 1u << 31 };

static void step_back(struct order_walk *walk, uint32_t e)
{
    if (e == SM_NO_NODE || walk->colors[e] == BLACK)
        return;
    walk->circle |= walk->colors[e] == GREY;
    if (walk->colors[e] == WHITE)
        walk->stack[walk->n++] = e;
}

static bool is_departure(const struct order_walk *walk, const struct sm_node *node)
{
    return walk->across && node->kind == SM_NODE_DEPART;
}

static void step_back_to_readers(struct order_walk *walk, uint16_t loc, uint32_t from, uint32_t e)
{
    const struct sm_graph *graph = walk->graph;
    for (uint32_t r = graph->locs[loc].newest; r != SM_NO_NODE; r = graph->nodes[r].older)
        if (graph->nodes[r].kind == SM_NODE_READ && graph->nodes[r].rf == from && r != e &&
            !(walk->partial && sm_lies_at(graph->nodes[r].site)))
            step_back(walk, r);
}

/* From a write: back to its mo-predecessor and the readers of that. Weak writes are skipped: they
   may execute later. */
static void step_back_in_order(struct order_walk *walk, uint32_t e)
{
    const struct sm_graph *graph = walk->graph;
    uint16_t loc = graph->nodes[e].loc;
    uint32_t before = e;
    do {
        before = graph->nodes[before].mo_prev;
        step_back_to_readers(walk, loc, before, e);
    } while (walk->partial && before != SM_NO_NODE && sm_lies_at(graph->nodes[before].site));
    step_back(walk, before);
}

static void step_back_from(struct order_walk *walk, uint32_t e)
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
    if (node->kind == SM_NODE_WRITE)
        step_back_in_order(walk, e);
}

static void walk_from(struct order_walk *walk, uint32_t start)
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

/* Each node is pushed at most once for each incoming edge: po, rf, mo, one fr per read; an arrival,
   once for each departure. In a partial model, once for each write of its location. */
static size_t room_for(const struct sm_graph *graph, bool partial)
{
    size_t edges = 6 + graph->lanes + (partial ? 2 * (size_t)graph->n : 0);
    return graph->n * edges * sizeof(uint32_t);
}

static bool has_no_circle(const struct sm_graph *graph, bool across, bool partial)
{
    size_t room = room_for(graph, partial);
    struct order_walk walk = {.graph = graph, .across = across, .partial = partial};
    walk.colors = memset(sm_pool_get(graph->n), 0, graph->n);
    walk.stack = sm_pool_get(room);
    for (uint32_t e = 0; e < graph->n && !walk.circle; e++)
        if (walk.colors[e] == WHITE)
            walk_from(&walk, e);
    sm_pool_put(walk.colors, graph->n);
    sm_pool_put(walk.stack, room);
    return !walk.circle;
}

static bool is_sequential(const struct sm_graph *graph, bool across)
{
    return has_no_circle(graph, across, false);
}

bool sm_rc11_is_sequential(const struct sm_graph *graph)
{
    return is_sequential(graph, true);
}

bool sm_rc11_is_partly_sequential(const struct sm_graph *graph)
{
    return has_no_circle(graph, true, true);
}

static bool all_is_sc(const struct sm_graph *graph)
{
    for (uint32_t e = 0; e < graph->n; e++)
        if (graph->nodes[e].kind <= SM_NODE_WRITE && !sm_psc_has(&graph->nodes[e]))
            return false;
    return true;
}

/* psc is contained in the closure of po, rf, mo and fr: if these are acyclic, so is psc. If every
   access is seq_cst they are contained in psc as well. Only other graphs need psc itself. */
bool sm_rc11_sc_holds(struct sm_graph *graph)
{
    if (!graph->n_tangled && is_sequential(graph, true)) {
        graph->n_ordered = graph->n;
        return true;
    }
    if (all_is_sc(graph) && !is_sequential(graph, false))
        return false;
    return sm_psc_is_acyclic(graph);
}
