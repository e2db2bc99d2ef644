/*
 * sc, tso and pso share one formulation. Each event has a moment at which it executes; a write has
 * a second one, at which it reaches memory (lands). Under sc the two coincide. An execution is
 * legal if all moments can be put in one order that respects:
 *
 *   program order between executions; a write executes, then lands
 *   tso: a thread's writes land in order; pso: those to one location, and around releases
 *   draining events (full fences, RMWs, synchronisation) wait for all landings of their thread
 *   a write lands before another thread reads it, and before the next in modification order
 *   a read executes before the write after the one it read lands (from-read)
 *
 * A new access can close a cycle only through what lands after it. So it is enough to know which
 * landings must precede it: those that a backward search reaches.
 */
#include "verify/consistency/axioms.h"

#include <string.h>

#include "abi/control.h"
#include "base/sys.h"
#include "runtime/control.h"
#include "verify/consistency/rc11.h"
#include "verify/pool.h"

enum { FIRST_CAPACITY = 256 };

struct sm_axioms *sm_axioms_new(uint64_t model)
{
    struct sm_axioms *axioms = sm_pool_get(sizeof *axioms);
    *axioms = (struct sm_axioms){.model = model,
                                 .partial = sm_control->lie_mode == SM_LIE_LIST,
                                 .capacity = FIRST_CAPACITY,
                                 .loc_capacity = FIRST_CAPACITY};
    axioms->newest = sm_pool_get(FIRST_CAPACITY * sizeof *axioms->newest);
    axioms->seen = sm_pool_get(2 * FIRST_CAPACITY * sizeof *axioms->seen);
    axioms->stack = sm_pool_get(2 * FIRST_CAPACITY * sizeof *axioms->stack);
    memset(axioms->seen, 0, 2 * FIRST_CAPACITY * sizeof *axioms->seen);
    return axioms;
}

static void make_room_for_locations(struct sm_axioms *axioms, uint32_t locs)
{
    while (axioms->loc_capacity < locs) {
        axioms->newest =
            sm_pool_double(axioms->newest, axioms->loc_capacity * sizeof *axioms->newest);
        axioms->loc_capacity *= 2;
    }
}

static void make_room(struct sm_axioms *axioms, uint32_t nodes)
{
    while (axioms->capacity < nodes) {
        size_t size = 2 * axioms->capacity * sizeof *axioms->seen;
        axioms->seen = sm_pool_double(axioms->seen, size);
        axioms->stack = sm_pool_double(axioms->stack, size);
        memset((char *)axioms->seen + size, 0, size);
        axioms->capacity *= 2;
    }
}

/* ---- ordering constraints ---- */

bool sm_axioms_lands_at_once(const struct sm_axioms *axioms, const struct sm_node *write)
{
    return axioms->model == SM_MODEL_SC || (write->flags & (SM_NODE_RMW | SM_NODE_LOCK)) ||
           write->order == SM_ORDER_SEQ_CST || (axioms->partial && !sm_lies_at(write->site));
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

static void reach(struct sm_axioms *axioms, uint32_t stamp, bool lands)
{
    uint32_t at = 2 * stamp + lands;
    if (stamp == SM_NO_NODE || axioms->seen[at] == axioms->epoch)
        return;
    axioms->seen[at] = axioms->epoch;
    axioms->stack[axioms->n++] = at;
}

/* The writes of the thread that must land before `node` executes (if it drains), or lands. */
static void reach_landings(struct sm_axioms *axioms, const struct sm_graph *graph,
                           const struct sm_node *node, bool all)
{
    bool fenced = all;
    for (uint32_t e = node->pred; e != SM_NO_NODE; e = graph->nodes[e].pred) {
        const struct sm_node *before = &graph->nodes[e];
        if (before->thread != node->thread)
            return;
        if (before->kind == SM_NODE_WRITE && (fenced || axioms->model == SM_MODEL_TSO))
            reach(axioms, e, true);
        if (drains(before) || (before->kind == SM_NODE_WRITE && axioms->model == SM_MODEL_TSO))
            return;
        fenced |= before->kind == SM_NODE_FENCE && sm_order_releases(before->order);
    }
}

static void reach_arrivals(struct sm_axioms *axioms, const struct sm_graph *graph,
                           const struct sm_node *departure)
{
    for (uint32_t e = graph->locs[departure->loc].newest; e != SM_NO_NODE;
         e = graph->nodes[e].older)
        if (sm_node_departs_after(departure, &graph->nodes[e]))
            reach(axioms, e, false);
}

static void reach_from_execution(struct sm_axioms *axioms, const struct sm_graph *graph,
                                 const struct sm_node *node)
{
    reach(axioms, node->pred, false);
    if (node->pred != SM_NO_NODE) {
        const struct sm_node *before = &graph->nodes[node->pred];
        if (before->kind == SM_NODE_WRITE && sm_axioms_lands_at_once(axioms, before))
            reach(axioms, node->pred, true);
    }
    if (node->kind == SM_NODE_JOIN || node->kind == SM_NODE_WAKE)
        reach(axioms, node->rf, node->kind == SM_NODE_WAKE);
    if (node->kind == SM_NODE_DEPART)
        reach_arrivals(axioms, graph, node);
    if (node->kind == SM_NODE_READ && node->rf != SM_NO_NODE &&
        graph->nodes[node->rf].thread != node->thread)
        reach(axioms, node->rf, true);
    if (axioms->model != SM_MODEL_SC && drains(node))
        reach_landings(axioms, graph, node, true);
}

static void reach_from_landing(struct sm_axioms *axioms, const struct sm_graph *graph,
                               uint32_t stamp)
{
    const struct sm_node *write = &graph->nodes[stamp];
    reach(axioms, stamp, false);
    if (axioms->model != SM_MODEL_SC)
        reach_landings(axioms, graph, write, sm_order_releases(write->order) || drains(write));
    if (write->mo_prev == SM_NO_NODE && write->mo_next == SM_NO_NODE &&
        graph->locs[write->loc].mo_last != stamp)
        return; /* not yet placed */
    reach(axioms, write->mo_prev, true);
    for (uint32_t e = graph->locs[write->loc].newest; e != SM_NO_NODE; e = graph->nodes[e].older)
        if (graph->nodes[e].kind == SM_NODE_READ && graph->nodes[e].rf == write->mo_prev)
            reach(axioms, e, false);
}

static void reach_all(struct sm_axioms *axioms, const struct sm_graph *graph)
{
    while (axioms->n) {
        uint32_t at = axioms->stack[--axioms->n];
        if (at & 1)
            reach_from_landing(axioms, graph, at / 2);
        else
            reach_from_execution(axioms, graph, &graph->nodes[at / 2]);
    }
}

/* ---- sc: prefixes as vectors ---- */

/* Under sc the set of events before an event is closed under program order and reads-from, so it is
   a vector clock: the join of the clocks at its frontier. mo and fr extend it location by location:
   the newest write in the set brings in all mo-earlier writes and their readers. For fib_bench this
   takes a quarter of the time of a node-by-node search. */

static void add_before(const struct sm_graph *graph, struct sm_vector *set, uint32_t e)
{
    if (!sm_vector_has(set, &graph->nodes[e]))
        sm_vector_join(set, sm_graph_porf(graph, e), graph->lanes);
}

static void add_writes_before(struct sm_axioms *axioms, const struct sm_graph *graph,
                              struct sm_vector *set, uint32_t write)
{
    axioms->epoch++;
    for (uint32_t w = graph->nodes[write].mo_prev; w != SM_NO_NODE; w = graph->nodes[w].mo_prev) {
        axioms->seen[2 * w] = axioms->epoch;
        add_before(graph, set, w);
    }
}

static void add_readers_before(struct sm_axioms *axioms, const struct sm_graph *graph,
                               struct sm_vector *set, uint16_t loc)
{
    for (uint32_t e = graph->locs[loc].newest; e != SM_NO_NODE; e = graph->nodes[e].older) {
        const struct sm_node *node = &graph->nodes[e];
        if (node->kind == SM_NODE_READ &&
            (node->rf == SM_NO_NODE || axioms->seen[2 * node->rf] == axioms->epoch))
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

static bool extend(struct sm_axioms *axioms, const struct sm_graph *graph, struct sm_vector *set,
                   uint16_t loc)
{
    uint32_t write = newest_in(graph, set, loc);
    if (write == axioms->newest[loc])
        return false;
    axioms->newest[loc] = write;
    add_writes_before(axioms, graph, set, write);
    add_readers_before(axioms, graph, set, loc);
    return true;
}

static void add_past(const struct sm_graph *graph, struct sm_vector *set, uint32_t access)
{
    uint32_t pred = graph->nodes[access].pred;
    if (pred != SM_NO_NODE)
        sm_vector_join(set, sm_graph_porf(graph, pred), graph->lanes);
}

uint32_t sm_axioms_sequential_bound(struct sm_axioms *axioms, const struct sm_graph *graph,
                                    uint32_t access, uint32_t other)
{
    struct sm_vector set;
    uint32_t last = graph->locs[graph->nodes[access].loc].mo_last;
    sm_vector_clear(&set, graph->lanes);
    add_past(graph, &set, access);
    if (other != SM_NO_NODE)
        add_past(graph, &set, other);
    if (last == SM_NO_NODE || sm_vector_has(&set, &graph->nodes[last]))
        return last;
    make_room(axioms, graph->n);
    make_room_for_locations(axioms, graph->n_locs);
    memset(axioms->newest, 0xff, graph->n_locs * sizeof *axioms->newest);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t l = 0; l < graph->n_locs; l++)
            more |= extend(axioms, graph, &set, (uint16_t)l);
    }
    return newest_in(graph, &set, graph->nodes[access].loc);
}

/* ---- the bound ---- */

/* Starts from the predecessors of the access, which has no rf or mo edge that counts yet. */
static void reach_from_new(struct sm_axioms *axioms, const struct sm_graph *graph, uint32_t access)
{
    struct sm_node node = graph->nodes[access];
    if (node.kind == SM_NODE_READ)
        node.rf = SM_NO_NODE;
    reach_from_execution(axioms, graph, &node);
    if (node.kind == SM_NODE_WRITE && axioms->model != SM_MODEL_SC)
        reach_landings(axioms, graph, &node, sm_order_releases(node.order) || drains(&node));
}

static bool has_landed(const struct sm_axioms *axioms, const struct sm_graph *graph, uint32_t write,
                       const struct sm_node *access, const struct sm_node *other)
{
    uint8_t thread = graph->nodes[write].thread;
    return axioms->seen[2 * write + 1] == axioms->epoch ||
           (axioms->model == SM_MODEL_SC && axioms->seen[2 * write] == axioms->epoch) ||
           thread == access->thread || (other && thread == other->thread);
}

static uint32_t bound_by_search(struct sm_axioms *axioms, const struct sm_graph *graph,
                                uint32_t access, uint32_t other)
{
    make_room(axioms, graph->n);
    axioms->epoch++;
    reach_from_new(axioms, graph, access);
    if (other != SM_NO_NODE)
        reach_from_new(axioms, graph, other);
    reach_all(axioms, graph);
    const struct sm_node *node = &graph->nodes[access];
    const struct sm_node *second = other == SM_NO_NODE ? NULL : &graph->nodes[other];
    uint32_t write = graph->locs[node->loc].mo_last;
    while (write != SM_NO_NODE && !has_landed(axioms, graph, write, node, second))
        write = graph->nodes[write].mo_prev;
    return write;
}

uint32_t sm_axioms_bound(struct sm_axioms *axioms, const struct sm_graph *graph, uint32_t access,
                         uint32_t other)
{
    switch (axioms->model) {
    case SM_MODEL_C11:
        make_room(axioms, graph->n);
        return sm_rc11_bound(graph, access, other,
                             (struct sm_marks){axioms->seen, ++axioms->epoch});
    case SM_MODEL_SC:
        return sm_axioms_sequential_bound(axioms, graph, access, other);
    default:
        return bound_by_search(axioms, graph, access, other);
    }
}

bool sm_axioms_has_order(const struct sm_axioms *axioms, const struct sm_graph *graph)
{
    return axioms->model == SM_MODEL_C11 && (graph->n_sc >= 2 || axioms->partial);
}

bool sm_axioms_hold(const struct sm_axioms *axioms, struct sm_graph *graph)
{
    if (!sm_axioms_has_order(axioms, graph) || graph->n_ordered == graph->n)
        return true;
    return (!axioms->partial || sm_rc11_is_partly_sequential(graph)) && sm_rc11_sc_holds(graph);
}

uint32_t sm_axioms_order(struct sm_axioms *axioms, struct sm_graph *graph, uint32_t access,
                         const uint32_t *options, uint32_t n)
{
    if (!sm_axioms_has_order(axioms, graph))
        return 0;
    if (graph->n_ordered < access && !graph->n_tangled && !sm_rc11_is_sequential(graph))
        graph->n_tangled = access;
    if (!graph->n_tangled)
        graph->n_ordered = access;
    uint32_t last = graph->locs[graph->nodes[access].loc].mo_last, found = 0;
    if (n == 1 && options[0] == last)
        return 1;
    uint32_t bound = sm_axioms_sequential_bound(axioms, graph, access, SM_NO_NODE);
    for (uint32_t w = last; found < n; w = graph->nodes[w].mo_prev) {
        found += w == options[found];
        if (w == bound || w == SM_NO_NODE)
            break;
    }
    return found;
}

uint32_t sm_axioms_before(struct sm_axioms *axioms, const struct sm_graph *graph, uint32_t moment,
                          const uint32_t **moments)
{
    make_room(axioms, graph->n);
    axioms->epoch++;
    axioms->n = 0;
    if (moment & 1)
        reach_from_landing(axioms, graph, moment / 2);
    else
        reach_from_execution(axioms, graph, &graph->nodes[moment / 2]);
    uint32_t n = axioms->n;
    axioms->n = 0;
    *moments = axioms->stack;
    return n;
}
