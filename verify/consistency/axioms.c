/*
 * sc, tso and pso are one thing seen through two moments of each event: when it executes and,
 * for a write, when it reaches memory (lands). Under sc the two are one. An execution is
 * legal when these moments can be put in one order:
 *
 *   program order between executions; a write executes, then lands
 *   tso: a thread's writes land in order; pso: those to one location, and around releases
 *   what drains (full fences, read-modify-writes, synchronisation) waits for all landings
 *   a write lands before another thread reads it, and before the next in modification order
 *   a read executes before the write behind the one it read lands
 *
 * A new access can be the reason for a circle only through what lands after it, so all that
 * is to be known is which landings must come before it: those that can be reached backwards.
 */
#include "verify/consistency/axioms.h"

#include <string.h>

#include "abi/control.h"
#include "base/sys.h"
#include "verify/consistency/rc11.h"
#include "verify/pool.h"

/* Lives in the pool: it need not be made again for each execution. */
static struct search {
    uint32_t capacity; /* nodes */
    uint32_t epoch, n;
    uint32_t *seen;  /* two for each node: executes, lands */
    uint32_t *stack; /* 2 * node + (lands ? 1 : 0) */
    uint32_t loc_capacity;
    uint32_t *newest; /* of each location: the newest write that was reached */
} *search;
static uint64_t model;

enum { FIRST_CAPACITY = 256 };

void sm_axioms_start(uint64_t chosen)
{
    model = chosen;
    search = sm_pool_get(sizeof *search);
    *search = (struct search){.capacity = FIRST_CAPACITY, .loc_capacity = FIRST_CAPACITY};
    search->newest = sm_pool_get(FIRST_CAPACITY * sizeof *search->newest);
    search->seen = sm_pool_get(2 * FIRST_CAPACITY * sizeof *search->seen);
    search->stack = sm_pool_get(2 * FIRST_CAPACITY * sizeof *search->stack);
    memset(search->seen, 0, 2 * FIRST_CAPACITY * sizeof *search->seen);
}

static void make_room_for_locations(uint32_t locs)
{
    while (search->loc_capacity < locs) {
        search->newest =
            sm_pool_double(search->newest, search->loc_capacity * sizeof *search->newest);
        search->loc_capacity *= 2;
    }
}

static void make_room(uint32_t nodes)
{
    while (search->capacity < nodes) {
        size_t size = 2 * search->capacity * sizeof *search->seen;
        search->seen = sm_pool_double(search->seen, size);
        search->stack = sm_pool_double(search->stack, size);
        memset((char *)search->seen + size, 0, size);
        search->capacity *= 2;
    }
}

/* ---- what is ordered ---- */

bool sm_axioms_lands_at_once(const struct sm_node *write)
{
    return model == SM_MODEL_SC || (write->flags & (SM_NODE_RMW | SM_NODE_LOCK)) ||
           write->order == SM_ORDER_SEQ_CST;
}

static bool drains(const struct sm_node *node)
{
    switch (node->kind) {
    case SM_NODE_READ:
        return node->flags & (SM_NODE_EXCLUSIVE | SM_NODE_LOCK);
    case SM_NODE_WRITE:
        return node->flags & (SM_NODE_RMW | SM_NODE_LOCK);
    case SM_NODE_FENCE:
        return node->order == SM_ORDER_SEQ_CST;
    default:
        return node->kind != SM_NODE_CHOICE;
    }
}

static void reach(uint32_t stamp, bool lands)
{
    uint32_t at = 2 * stamp + lands;
    if (stamp == SM_NO_NODE || search->seen[at] == search->epoch)
        return;
    search->seen[at] = search->epoch;
    search->stack[search->n++] = at;
}

/* The writes of the thread that must land before `node` executes (it drains), or lands. */
static void reach_landings(const struct sm_graph *graph, const struct sm_node *node, bool all)
{
    bool fenced = all;
    for (uint32_t e = node->pred; e != SM_NO_NODE; e = graph->nodes[e].pred) {
        const struct sm_node *before = &graph->nodes[e];
        if (before->thread != node->thread)
            return;
        if (before->kind == SM_NODE_WRITE && (fenced || model == SM_MODEL_TSO))
            reach(e, true);
        if (drains(before) || (before->kind == SM_NODE_WRITE && model == SM_MODEL_TSO))
            return;
        fenced |= before->kind == SM_NODE_FENCE && sm_order_releases(before->order);
    }
}

static void reach_arrivals(const struct sm_graph *graph, const struct sm_node *departure)
{
    for (uint32_t e = graph->locs[departure->loc].newest; e != SM_NO_NODE;
         e = graph->nodes[e].older)
        if (sm_node_departs_after(departure, &graph->nodes[e]))
            reach(e, false);
}

static void reach_from_execution(const struct sm_graph *graph, const struct sm_node *node)
{
    reach(node->pred, false);
    if (node->pred != SM_NO_NODE) {
        const struct sm_node *before = &graph->nodes[node->pred];
        if (before->kind == SM_NODE_WRITE && sm_axioms_lands_at_once(before))
            reach(node->pred, true);
    }
    if (node->kind == SM_NODE_JOIN || node->kind == SM_NODE_WAKE)
        reach(node->rf, node->kind == SM_NODE_WAKE);
    if (node->kind == SM_NODE_DEPART)
        reach_arrivals(graph, node);
    if (node->kind == SM_NODE_READ && node->rf != SM_NO_NODE &&
        graph->nodes[node->rf].thread != node->thread)
        reach(node->rf, true);
    if (model != SM_MODEL_SC && drains(node))
        reach_landings(graph, node, true);
}

static void reach_from_landing(const struct sm_graph *graph, uint32_t stamp)
{
    const struct sm_node *write = &graph->nodes[stamp];
    reach(stamp, false);
    if (model != SM_MODEL_SC)
        reach_landings(graph, write, sm_order_releases(write->order) || drains(write));
    if (write->mo_prev == SM_NO_NODE && write->mo_next == SM_NO_NODE &&
        graph->locs[write->loc].mo_last != stamp)
        return; /* not yet placed */
    reach(write->mo_prev, true);
    for (uint32_t e = graph->locs[write->loc].newest; e != SM_NO_NODE; e = graph->nodes[e].older)
        if (graph->nodes[e].kind == SM_NODE_READ && graph->nodes[e].rf == write->mo_prev)
            reach(e, false);
}

static void reach_all(const struct sm_graph *graph)
{
    while (search->n) {
        uint32_t at = search->stack[--search->n];
        if (at & 1)
            reach_from_landing(graph, at / 2);
        else
            reach_from_execution(graph, &graph->nodes[at / 2]);
    }
}

/* ---- one order of everything ---- */

/* Under sc what comes before an event is closed under program order and reads-from, so it is a
   vector: that of the nodes at its rim. What mo and fr add comes location by location: the newest
   write that is in it brings all writes before it, and all that read those. So fib_bench needs a
   quarter of the time of a search from node to node. */

static void add_before(const struct sm_graph *graph, struct sm_vector *set, uint32_t e)
{
    if (!sm_vector_has(set, &graph->nodes[e]))
        sm_vector_join(set, &graph->clocks[e].porf);
}

static void add_writes_before(const struct sm_graph *graph, struct sm_vector *set, uint32_t write)
{
    search->epoch++;
    for (uint32_t w = graph->nodes[write].mo_prev; w != SM_NO_NODE; w = graph->nodes[w].mo_prev) {
        search->seen[2 * w] = search->epoch;
        add_before(graph, set, w);
    }
}

static void add_readers_before(const struct sm_graph *graph, struct sm_vector *set, uint16_t loc)
{
    for (uint32_t e = graph->locs[loc].newest; e != SM_NO_NODE; e = graph->nodes[e].older) {
        const struct sm_node *node = &graph->nodes[e];
        if (node->kind == SM_NODE_READ &&
            (node->rf == SM_NO_NODE || search->seen[2 * node->rf] == search->epoch))
            add_before(graph, set, e);
    }
}

static uint32_t newest_in(const struct sm_graph *graph, const struct sm_vector *set, uint16_t loc)
{
    uint32_t write = graph->locs[loc].mo_last;
    while (write != SM_NO_NODE && !sm_vector_has(set, &graph->nodes[write]))
        write = graph->nodes[write].mo_prev;
    return write;
}

static bool extend(const struct sm_graph *graph, struct sm_vector *set, uint16_t loc)
{
    uint32_t write = newest_in(graph, set, loc);
    if (write == search->newest[loc])
        return false;
    search->newest[loc] = write;
    add_writes_before(graph, set, write);
    add_readers_before(graph, set, loc);
    return true;
}

static void add_past(const struct sm_graph *graph, struct sm_vector *set, uint32_t access)
{
    uint32_t pred = graph->nodes[access].pred;
    if (pred != SM_NO_NODE)
        sm_vector_join(set, &graph->clocks[pred].porf);
}

uint32_t sm_axioms_sequential_bound(const struct sm_graph *graph, uint32_t access, uint32_t other)
{
    struct sm_vector set = {{0}};
    uint32_t last = graph->locs[graph->nodes[access].loc].mo_last;
    add_past(graph, &set, access);
    if (other != SM_NO_NODE)
        add_past(graph, &set, other);
    if (last == SM_NO_NODE || sm_vector_has(&set, &graph->nodes[last]))
        return last;
    make_room(graph->n);
    make_room_for_locations(graph->n_locs);
    memset(search->newest, 0xff, graph->n_locs * sizeof *search->newest);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t l = 0; l < graph->n_locs; l++)
            more |= extend(graph, &set, (uint16_t)l);
    }
    return newest_in(graph, &set, graph->nodes[access].loc);
}

/* ---- the bound ---- */

/* Starts from what comes before the access; it has no part in rf or mo yet that counts. */
static void reach_from_new(const struct sm_graph *graph, uint32_t access)
{
    struct sm_node node = graph->nodes[access];
    if (node.kind == SM_NODE_READ)
        node.rf = SM_NO_NODE;
    reach_from_execution(graph, &node);
    if (node.kind == SM_NODE_WRITE && model != SM_MODEL_SC)
        reach_landings(graph, &node, sm_order_releases(node.order) || drains(&node));
}

static bool has_landed(const struct sm_graph *graph, uint32_t write, const struct sm_node *access,
                       const struct sm_node *other)
{
    uint8_t thread = graph->nodes[write].thread;
    return search->seen[2 * write + 1] == search->epoch ||
           (model == SM_MODEL_SC && search->seen[2 * write] == search->epoch) ||
           thread == access->thread || (other && thread == other->thread);
}

static uint32_t bound_by_search(const struct sm_graph *graph, uint32_t access, uint32_t other)
{
    make_room(graph->n);
    search->epoch++;
    reach_from_new(graph, access);
    if (other != SM_NO_NODE)
        reach_from_new(graph, other);
    reach_all(graph);
    const struct sm_node *node = &graph->nodes[access];
    const struct sm_node *second = other == SM_NO_NODE ? NULL : &graph->nodes[other];
    uint32_t write = graph->locs[node->loc].mo_last;
    while (write != SM_NO_NODE && !has_landed(graph, write, node, second))
        write = graph->nodes[write].mo_prev;
    return write;
}

uint32_t sm_axioms_bound(const struct sm_graph *graph, uint32_t access, uint32_t other)
{
    switch (model) {
    case SM_MODEL_C11:
        make_room(graph->n);
        return sm_rc11_bound(graph, access, other,
                             (struct sm_marks){search->seen, ++search->epoch});
    case SM_MODEL_SC:
        return sm_axioms_sequential_bound(graph, access, other);
    default:
        return bound_by_search(graph, access, other);
    }
}

bool sm_axioms_has_order(const struct sm_graph *graph)
{
    return model == SM_MODEL_C11 && graph->n_sc >= 2;
}

bool sm_axioms_hold(struct sm_graph *graph)
{
    return !sm_axioms_has_order(graph) || graph->n_ordered == graph->n || sm_rc11_sc_holds(graph);
}

uint32_t sm_axioms_order(struct sm_graph *graph, uint32_t access, const uint32_t *ways, uint32_t n)
{
    if (!sm_axioms_has_order(graph) || (graph->n_ordered < access && !sm_rc11_is_sequential(graph)))
        return 0;
    graph->n_ordered = access;
    uint32_t last = graph->locs[graph->nodes[access].loc].mo_last, found = 0;
    if (n == 1 && ways[0] == last)
        return 1;
    uint32_t bound = sm_axioms_sequential_bound(graph, access, SM_NO_NODE);
    for (uint32_t w = last; found < n; w = graph->nodes[w].mo_prev) {
        found += w == ways[found];
        if (w == bound || w == SM_NO_NODE)
            break;
    }
    return found;
}

uint32_t sm_axioms_before(const struct sm_graph *graph, uint32_t moment, const uint32_t **moments)
{
    make_room(graph->n);
    search->epoch++;
    search->n = 0;
    if (moment & 1)
        reach_from_landing(graph, moment / 2);
    else
        reach_from_execution(graph, &graph->nodes[moment / 2]);
    uint32_t n = search->n;
    search->n = 0;
    *moments = search->stack;
    return n;
}
