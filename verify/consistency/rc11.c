#include "verify/consistency/rc11.h"

#include <string.h>

#include "verify/consistency/psc.h"
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

/* ---- short cuts ---- */

/* A search through everything that comes before a node by po, rf, mo and fr. */
struct order_walk {
    const struct sm_graph *graph;
    bool across; /* also from a thread's creation and end */
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
    if (node->kind != SM_NODE_WRITE)
        return;
    step_back(walk, node->mo_prev);
    for (uint32_t r = graph->locs[node->loc].newest; r != SM_NO_NODE; r = graph->nodes[r].older)
        if (graph->nodes[r].kind == SM_NODE_READ && graph->nodes[r].rf == node->mo_prev && r != e)
            step_back(walk, r);
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

static bool is_sequential(const struct sm_graph *graph, bool across)
{
    /* Every node is pushed at most once for each edge into it: po, rf, mo, and one fr a read; or,
       an arrival, by each departure. */
    size_t room = (size_t)graph->n * (6 + SM_GRAPH_THREADS) * sizeof(uint32_t);
    struct order_walk walk = {.graph = graph, .across = across};
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
        if (graph->nodes[e].kind <= SM_NODE_WRITE && !sm_psc_has(&graph->nodes[e]))
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
    return sm_psc_is_acyclic(graph);
}
