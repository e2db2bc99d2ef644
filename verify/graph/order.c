#include "verify/graph/order.h"

#include <string.h>

#include "abi/control.h"
#include "runtime/control.h"
#include "verify/consistency/axioms.h"
#include "verify/exploration.h"
#include "verify/graph/objects.h"
#include "verify/pool.h"

static struct steps {
    bool blocks, pieces;
} *steps;

void sm_order_start(void)
{
    steps = sm_pool_get(sizeof *steps);
    *steps = (struct steps){0};
}

void sm_order_has_steps(void)
{
    steps->blocks = true;
}

void sm_order_has_pieces(void)
{
    steps->pieces = true;
}

/* ---- steps ---- */

/* Which threads are inside an atomic block. */
struct blocks {
    bool inside[SM_GRAPH_THREADS];
    uint16_t loc;
};

/* Processes the thread's next event. Returns whether it is one step with the event before. */
static bool follow(struct blocks *blocks, const struct sm_node *node)
{
    bool *inside = &blocks->inside[node->thread], was_inside = *inside;
    if (node->kind == SM_NODE_READ && node->op == SM_DO_BLOCK && !(node->flags & SM_NODE_BLOCKED)) {
        *inside = true;
        blocks->loc = node->loc;
    } else if (node->kind == SM_NODE_WRITE && node->loc == blocks->loc &&
               (node->flags & SM_NODE_LOCK) && !(node->flags & SM_NODE_RMW)) {
        *inside = false;
    }
    return was_inside;
}

bool sm_order_is_inside(const struct sm_graph *graph)
{
    struct blocks blocks = {0};
    bool any = false;
    if (!steps->blocks)
        return false;
    for (uint32_t e = 0; e < graph->n; e++)
        follow(&blocks, &graph->nodes[e]);
    for (unsigned t = 0; t < SM_GRAPH_THREADS; t++)
        any |= blocks.inside[t];
    return any;
}

/* ---- the order ---- */

/* `next`: the next event of the same step, or SM_NO_NODE. `done`: the moment has happened. */
struct ordering {
    const struct sm_graph *graph;
    bool buffers;           /* sc, tso, pso: by moments; else by program order and reads-from */
    const uint32_t *places; /* not NULL: only by the order at each location */
    uint32_t *next;
    bool *later;  /* the node is not the first of its step */
    bool *landed; /* the node lands within its step */
    uint8_t *done;
    uint32_t *moments, n;
};

/* A thread makes a choice together with its previous event or with its next one, with no scheduling
   point in between; a graph may have events of other threads there, after a revisit. */
static bool is_with_choice(const struct sm_graph *graph, const struct sm_node *node)
{
    return node->at_once && node->index && node->kind != SM_NODE_WAKE &&
           (node->kind == SM_NODE_CHOICE || graph->nodes[node->pred].kind == SM_NODE_CHOICE);
}

static void find_steps(struct ordering *order)
{
    struct blocks blocks = {0};
    for (uint32_t e = 0; e < order->graph->n; e++) {
        const struct sm_node *node = &order->graph->nodes[e];
        bool inside = follow(&blocks, node) && order->buffers;
        order->later[e] = inside || (node->flags & (SM_NODE_RMW | SM_NODE_JOINED)) ||
                          is_with_choice(order->graph, node);
        order->landed[e] = inside || sm_axioms_lands_at_once(sm_exploration->axioms, node);
        order->next[e] = SM_NO_NODE;
        if (order->later[e])
            order->next[node->pred] = e;
    }
}

/* Position in modification order, from 1, of each write, and of the write that each read reads. */
static uint32_t *find_places(const struct sm_graph *graph)
{
    uint32_t *places = sm_pool_get((graph->n + 1) * sizeof *places);
    memset(places, 0, (graph->n + 1) * sizeof *places);
    for (uint32_t l = 0; l < graph->n_locs; l++) {
        uint32_t place = 0;
        for (uint32_t w = sm_graph_next(graph, (uint16_t)l, SM_NO_NODE); w != SM_NO_NODE;
             w = graph->nodes[w].mo_next)
            places[w] = ++place;
    }
    for (uint32_t e = 0; e < graph->n; e++)
        if (graph->nodes[e].kind == SM_NODE_READ && graph->nodes[e].rf != SM_NO_NODE)
            places[e] = places[graph->nodes[e].rf];
    return places;
}

/* For two accesses to one location: rf, mo, fr and their closure, or happens-before. */
static bool is_before(const struct sm_graph *graph, const uint32_t *places, uint32_t a, uint32_t b)
{
    bool reads = places[a] == places[b] && graph->nodes[a].kind == SM_NODE_WRITE &&
                 graph->nodes[b].kind == SM_NODE_READ;
    return places[a] < places[b] || reads ||
           (a != b && sm_vector_has(sm_graph_hb(graph, b), &graph->nodes[a]));
}

/* All its predecessors at its location have happened. */
static bool is_ready_by_place(const struct ordering *order, uint32_t e)
{
    const struct sm_graph *graph = order->graph;
    if (graph->nodes[e].kind > SM_NODE_WRITE)
        return true;
    for (uint32_t a = graph->locs[graph->nodes[e].loc].newest; a != SM_NO_NODE;
         a = graph->nodes[a].older)
        if (a != e && !order->done[2 * a] && is_before(graph, order->places, a, e))
            return false;
    return true;
}

static bool have_read(const struct ordering *order, uint16_t loc, uint32_t write)
{
    const struct sm_graph *graph = order->graph;
    for (uint32_t r = graph->locs[loc].newest; r != SM_NO_NODE; r = graph->nodes[r].older)
        if (graph->nodes[r].kind == SM_NODE_READ && graph->nodes[r].rf == write &&
            !order->done[2 * r] && !sm_lies_at(graph->nodes[r].site))
            return false;
    return true;
}

/* Of a write in a partial model (axioms.h): the strong accesses that precede it in modification
   order, or read from a write that does, have happened. */
static bool is_newest(const struct ordering *order, uint32_t e)
{
    const struct sm_node *node = &order->graph->nodes[e];
    if (node->kind != SM_NODE_WRITE || !sm_exploration->axioms->partial)
        return true;
    for (uint32_t w = node->mo_prev; w != SM_NO_NODE; w = order->graph->nodes[w].mo_prev)
        if ((!order->done[2 * w] && !sm_lies_at(order->graph->nodes[w].site)) ||
            !have_read(order, node->loc, w))
            return false;
    return have_read(order, node->loc, SM_NO_NODE);
}

static bool is_ready_by_porf(const struct ordering *order, uint32_t e)
{
    const struct sm_graph *graph = order->graph;
    const struct sm_node *node = &graph->nodes[e];
    for (uint32_t a = node->kind == SM_NODE_DEPART ? graph->locs[node->loc].newest : SM_NO_NODE;
         a != SM_NO_NODE; a = graph->nodes[a].older)
        if (sm_node_departs_after(node, &graph->nodes[a]) && !order->done[2 * a])
            return false;
    return (node->pred == SM_NO_NODE || order->done[2 * node->pred]) && is_newest(order, e) &&
           (!sm_node_has_rf(node) || node->rf == SM_NO_NODE || order->done[2 * node->rf]);
}

static bool is_ready(const struct ordering *order, uint32_t moment)
{
    const uint32_t *before;
    if (order->places)
        return is_ready_by_place(order, moment / 2);
    if (!order->buffers)
        return is_ready_by_porf(order, moment / 2);
    uint32_t n = sm_axioms_before(sm_exploration->axioms, order->graph, moment, &before);
    for (uint32_t i = 0; i < n; i++)
        if (!order->done[before[i]] && before[i] != moment)
            return false;
    return true;
}

static bool come(struct ordering *order, uint32_t moment)
{
    if (!is_ready(order, moment))
        return false;
    order->done[moment] = 1;
    order->moments[order->n++] = moment;
    return true;
}

/* A landing within its step is not a moment of a script, unless the write could be buffered. */
static bool execute(struct ordering *order, uint32_t e)
{
    const struct sm_node *node = &order->graph->nodes[e];
    if (!come(order, 2 * e))
        return false;
    if (node->kind != SM_NODE_WRITE || !order->buffers) {
        order->done[2 * e + 1] = 1;
        return true;
    }
    if (!order->landed[e])
        return true;
    if (!come(order, 2 * e + 1))
        return false;
    order->n -= sm_axioms_lands_at_once(sm_exploration->axioms, node);
    return true;
}

static void take_back(struct ordering *order, uint32_t first, uint32_t n)
{
    for (uint32_t e = first; e != SM_NO_NODE; e = order->next[e])
        order->done[2 * e] = order->done[2 * e + 1] = 0;
    order->n = n;
}

/* Lands a write together with the later pieces of its access. */
static bool land(struct ordering *order, uint32_t first)
{
    uint32_t n = order->n;
    for (uint32_t e = first; e != SM_NO_NODE; e = order->next[e])
        if (!come(order, 2 * e + 1)) {
            while (order->n > n)
                order->done[order->moments[--order->n]] = 0;
            return false;
        }
    return true;
}

/* Executes the step that begins with this event, if it is ready; or lands it. */
static bool advance(struct ordering *order, uint32_t first)
{
    uint32_t n = order->n;
    if (order->later[first])
        return false;
    if (order->done[2 * first])
        return !order->done[2 * first + 1] && land(order, first);
    for (uint32_t e = first; e != SM_NO_NODE; e = order->next[e])
        if (!execute(order, e)) {
            take_back(order, first, n);
            return false;
        }
    return true;
}

static bool is_complete(const struct ordering *order)
{
    for (uint32_t i = 0; i < 2 * order->graph->n; i++)
        if (!order->done[i])
            return false;
    return true;
}

/* What comes first: see sm_order_find. */
struct early {
    uint32_t first, second;
};
static const struct early nothing_early = {SM_NO_NODE, SM_NO_NODE};

/* A thread makes its choices at once, with the event before. */
static bool is_early(const struct sm_graph *graph, struct early early, uint32_t e)
{
    const struct sm_node *node = &graph->nodes[e];
    while (node->kind == SM_NODE_CHOICE && node->pred != SM_NO_NODE)
        node = &graph->nodes[node->pred];
    return sm_vector_has(sm_graph_porf(graph, early.first), node) ||
           sm_vector_has(sm_graph_porf(graph, early.second), node);
}

static void advance_early(struct ordering *order, struct early early)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t e = 0; e < order->graph->n; e++)
            more |= e != early.second && is_early(order->graph, early, e) && advance(order, e);
    }
    advance(order, early.second);
}

static void advance_all(struct ordering *order)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t e = 0; e < order->graph->n; e++)
            more |= advance(order, e);
    }
}

static uint32_t put_in_order(const struct sm_graph *graph, const uint32_t *places,
                             struct early early, uint32_t *moments)
{
    size_t size = graph->n * (sizeof(uint32_t) + 2 * sizeof(bool) + 2) + 1;
    char *room = memset(sm_pool_get(size), 0, size);
    struct ordering order = {.graph = graph,
                             .buffers = sm_option(model) != SM_MODEL_C11,
                             .places = places,
                             .next = (uint32_t *)room,
                             .moments = moments};
    order.later = (bool *)(order.next + graph->n);
    order.landed = order.later + graph->n;
    order.done = (uint8_t *)(order.landed + graph->n);
    find_steps(&order);
    if (early.second != SM_NO_NODE)
        advance_early(&order, early);
    advance_all(&order);
    bool complete = is_complete(&order);
    sm_pool_put(room, size);
    return complete ? order.n : 0;
}

uint32_t sm_order_find(const struct sm_graph *graph, uint32_t first, uint32_t second,
                       uint32_t *moments)
{
    return put_in_order(graph, NULL, (struct early){first, second}, moments);
}

static bool has_order(const struct sm_graph *graph, const uint32_t *places)
{
    size_t size = (2 * graph->n + 1) * sizeof(uint32_t);
    uint32_t *moments = sm_pool_get(size);
    bool found = graph->n == 0 || put_in_order(graph, places, nothing_early, moments);
    sm_pool_put(moments, size);
    return found;
}

/* c11 has no total order, but coherence: each location has an order, and an access in pieces is
   atomic with regard to the orders of all its locations. */
static bool is_whole(const struct sm_graph *graph)
{
    uint32_t *places = find_places(graph);
    bool found = has_order(graph, places);
    sm_pool_put(places, (graph->n + 1) * sizeof *places);
    return found;
}

bool sm_order_allows(const struct sm_graph *graph)
{
    if (sm_option(model) == SM_MODEL_C11)
        return !steps->pieces || is_whole(graph);
    return (!steps->blocks && !steps->pieces) || has_order(graph, NULL);
}

/* ---- what must come first ---- */

struct preceding {
    const struct sm_graph *graph;
    bool *seen;
    uint32_t *stack, n;
};

static void reach(struct preceding *past, uint32_t moment)
{
    if (past->seen[moment])
        return;
    past->seen[moment] = true;
    past->stack[past->n++] = moment;
}

static void reach_by_moments(struct preceding *past, uint32_t moment)
{
    const uint32_t *before;
    uint32_t n = sm_axioms_before(sm_exploration->axioms, past->graph, moment, &before);
    for (uint32_t i = 0; i < n; i++)
        reach(past, before[i]);
}

/* See is_newest. */
static bool is_older_strong(const struct sm_graph *graph, const struct sm_node *write, uint32_t e)
{
    const struct sm_node *node = &graph->nodes[e];
    uint32_t place = node->kind == SM_NODE_READ ? node->rf : e;
    if (sm_lies_at(node->site) || node == write)
        return false;
    if (place == SM_NO_NODE)
        return true;
    for (uint32_t w = write->mo_prev; w != SM_NO_NODE; w = graph->nodes[w].mo_prev)
        if (w == place)
            return true;
    return false;
}

static void reach_by_porf(struct preceding *past, uint32_t e)
{
    const struct sm_graph *graph = past->graph;
    const struct sm_node *node = &graph->nodes[e];
    bool orders = node->kind == SM_NODE_WRITE && sm_exploration->axioms->partial;
    if (node->pred != SM_NO_NODE)
        reach(past, 2 * node->pred);
    if (sm_node_has_rf(node) && node->rf != SM_NO_NODE)
        reach(past, 2 * node->rf);
    for (uint32_t a = orders || node->kind == SM_NODE_DEPART ? graph->locs[node->loc].newest
                                                             : SM_NO_NODE;
         a != SM_NO_NODE; a = graph->nodes[a].older)
        if (orders ? is_older_strong(graph, node, a)
                   : sm_node_departs_after(node, &graph->nodes[a]))
            reach(past, 2 * a);
}

void sm_order_past(const struct sm_graph *graph, uint32_t e, bool *seen)
{
    size_t size = (2 * graph->n + 1) * sizeof(uint32_t);
    struct preceding past = {graph, seen, sm_pool_get(size), 0};
    bool buffers = sm_option(model) != SM_MODEL_C11;
    reach(&past, 2 * e);
    while (past.n) {
        uint32_t moment = past.stack[--past.n];
        if (buffers)
            reach_by_moments(&past, moment);
        else
            reach_by_porf(&past, moment / 2);
    }
    sm_pool_put(past.stack, size);
}
