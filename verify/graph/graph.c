#include "verify/graph/graph.h"

#include <string.h>

#include "base/sys.h"
#include "verify/graph/objects.h"
#include "verify/pool.h"

enum { FIRST_NODES = 64, FIRST_LOCS = 16 };

void sm_graph_clear(struct sm_graph *graph)
{
    graph->n = graph->n_locs = graph->n_sc = graph->n_plain = graph->n_frees = 0;
    graph->n_ordered = graph->n_tangled = graph->forest = 0;
    memset(graph->length, 0, graph->lanes * sizeof *graph->length);
    memset(graph->last, 0xff, graph->lanes * sizeof *graph->last);
}

/* ---- blocks of memory ---- */

static size_t clocks_size(const struct sm_graph *graph, uint32_t nodes)
{
    return (size_t)nodes * SM_CLOCKS * graph->lanes * sizeof *graph->clocks;
}

static size_t threads_size(uint32_t lanes)
{
    const struct sm_graph *graph;
    return lanes * (sizeof *graph->last + sizeof *graph->length);
}

static void get_threads(struct sm_graph *graph)
{
    graph->last = sm_pool_get(threads_size(graph->lanes));
    graph->length = (uint16_t *)(graph->last + graph->lanes);
}

/* The blocks of a graph that is as large as this copied head says. */
static void get_blocks(struct sm_graph *graph)
{
    graph->nodes = sm_pool_get(graph->capacity * sizeof *graph->nodes);
    graph->clocks = sm_pool_get(clocks_size(graph, graph->capacity));
    graph->locs = sm_pool_get(graph->loc_capacity * sizeof *graph->locs);
    get_threads(graph);
}

static void copy_blocks(struct sm_graph *to, const struct sm_graph *from)
{
    memcpy(to->nodes, from->nodes, to->n * sizeof *to->nodes);
    memcpy(to->clocks, from->clocks, clocks_size(to, to->n));
    memcpy(to->locs, from->locs, to->n_locs * sizeof *to->locs);
    memcpy(to->last, from->last, threads_size(to->lanes));
}

static void reserve(struct sm_graph *graph, uint32_t nodes, uint32_t locs)
{
    graph->capacity = FIRST_NODES;
    graph->loc_capacity = FIRST_LOCS;
    while (graph->capacity < nodes)
        graph->capacity *= 2;
    while (graph->loc_capacity < locs)
        graph->loc_capacity *= 2;
    graph->lanes = SM_FIRST_LANES;
    get_blocks(graph);
    sm_graph_clear(graph);
}

void sm_graph_init(struct sm_graph *graph)
{
    reserve(graph, 0, 0);
}

void sm_graph_free(struct sm_graph *graph)
{
    sm_pool_put(graph->nodes, graph->capacity * sizeof *graph->nodes);
    sm_pool_put(graph->clocks, clocks_size(graph, graph->capacity));
    sm_pool_put(graph->locs, graph->loc_capacity * sizeof *graph->locs);
    sm_pool_put(graph->last, threads_size(graph->lanes));
}

/* With twice as many lanes as often as needed. */
static void widen(struct sm_graph *graph, uint32_t thread)
{
    const struct sm_graph old = *graph;
    SM_ASSERT(thread < SM_GRAPH_THREADS);
    while (graph->lanes <= thread)
        graph->lanes *= 2;
    graph->clocks = sm_pool_get(clocks_size(graph, graph->capacity));
    memset(graph->clocks, 0, clocks_size(graph, graph->n));
    for (uint32_t e = 0; e < SM_CLOCKS * graph->n; e++)
        memcpy(graph->clocks + (size_t)e * graph->lanes, old.clocks + (size_t)e * old.lanes,
               old.lanes * sizeof *old.clocks);
    get_threads(graph);
    memset(graph->last, 0xff, graph->lanes * sizeof *graph->last);
    memset(graph->length, 0, graph->lanes * sizeof *graph->length);
    memcpy(graph->last, old.last, old.lanes * sizeof *old.last);
    memcpy(graph->length, old.length, old.lanes * sizeof *old.length);
    sm_pool_put(old.clocks, clocks_size(&old, old.capacity));
    sm_pool_put(old.last, threads_size(old.lanes));
}

void sm_graph_touch(struct sm_graph *graph, uint16_t loc, uint64_t initial)
{
    while (loc >= graph->loc_capacity) {
        graph->locs = sm_pool_double(graph->locs, graph->loc_capacity * sizeof *graph->locs);
        graph->loc_capacity *= 2;
    }
    for (; graph->n_locs <= loc; graph->n_locs++)
        graph->locs[graph->n_locs] = (struct sm_loc){SM_NO_NODE, SM_NO_NODE, 0};
    graph->locs[loc].initial = initial;
}

/* ---- clocks ---- */

/* An acquire fence synchronises with the writes that earlier relaxed reads have read from. */
static void learn_by_fence(const struct sm_graph *graph, const struct sm_node *fence,
                           struct sm_vector *hb)
{
    for (uint32_t e = fence->pred; e != SM_NO_NODE; e = graph->nodes[e].pred) {
        const struct sm_node *node = &graph->nodes[e];
        if (node->thread != fence->thread)
            return;
        if (node->kind == SM_NODE_READ && node->rf != SM_NO_NODE)
            sm_vector_join(hb, sm_graph_clock(graph, node->rf, SM_CLOCK_MESSAGE), graph->lanes);
    }
}

static void learn_by_departing(const struct sm_graph *graph, const struct sm_node *departure,
                               struct sm_vector *porf, struct sm_vector *hb)
{
    for (uint32_t e = graph->locs[departure->loc].newest; e != SM_NO_NODE;
         e = graph->nodes[e].older) {
        if (!sm_node_departs_after(departure, &graph->nodes[e]))
            continue;
        sm_vector_join(porf, sm_graph_porf(graph, e), graph->lanes);
        sm_vector_join(hb, sm_graph_hb(graph, e), graph->lanes);
    }
}

/* A reader synchronises with the last writer, not with the readers that released the lock before.
 */
static void learn_from_writer(const struct sm_graph *graph, const struct sm_node *reader,
                              struct sm_vector *hb)
{
    uint32_t source = reader->rf;
    while (source != SM_NO_NODE && (graph->nodes[source].flags & SM_NODE_RMW))
        source = graph->nodes[graph->nodes[source].pred].rf;
    if (source != SM_NO_NODE)
        sm_vector_join(hb, sm_graph_clock(graph, source, SM_CLOCK_MESSAGE), graph->lanes);
}

/* porf and hb are next to each other. */
static void learn_from_pred(struct sm_graph *graph, uint32_t pred, struct sm_vector *porf)
{
    if (pred != SM_NO_NODE)
        sm_vector_copy(porf, sm_graph_porf(graph, pred), 2 * graph->lanes);
    else
        sm_vector_clear(porf, 2 * graph->lanes);
}

static void learn_from_others(struct sm_graph *graph, uint32_t stamp)
{
    const struct sm_node *node = &graph->nodes[stamp];
    struct sm_vector *porf = sm_graph_clock(graph, stamp, SM_CLOCK_PORF);
    struct sm_vector *hb = sm_graph_clock(graph, stamp, SM_CLOCK_HB);
    if (sm_node_has_rf(node) && node->rf != SM_NO_NODE) {
        sm_vector_join(porf, sm_graph_porf(graph, node->rf), graph->lanes);
        if (node->kind == SM_NODE_JOIN)
            sm_vector_join(hb, sm_graph_hb(graph, node->rf), graph->lanes);
        else if (node->kind == SM_NODE_READ && sm_order_acquires(node->order))
            sm_vector_join(hb, sm_graph_clock(graph, node->rf, SM_CLOCK_MESSAGE), graph->lanes);
    }
    if (node->kind == SM_NODE_FENCE && sm_order_acquires(node->order))
        learn_by_fence(graph, node, hb);
    if (node->kind == SM_NODE_DEPART)
        learn_by_departing(graph, node, porf, hb);
    if (node->kind == SM_NODE_READ && node->op == SM_DO_READ_LOCK)
        learn_from_writer(graph, node, hb);
    /* Last: a join that loads what was just partly stored stalls for it, a fourth of the time. */
    porf->at[node->thread] = hb->at[node->thread] = (uint16_t)(node->index + 1);
}

static void learn(struct sm_graph *graph, uint32_t stamp)
{
    learn_from_pred(graph, graph->nodes[stamp].pred, sm_graph_clock(graph, stamp, SM_CLOCK_PORF));
    learn_from_others(graph, stamp);
}

/* What it releases: release fences before it, earlier release stores of its thread to the same
   location (RC11's release sequence), and what the write releases that an RMW reads from. */
static void make_message(struct sm_graph *graph, uint32_t stamp)
{
    const struct sm_node *write = &graph->nodes[stamp];
    struct sm_vector *message = sm_graph_clock(graph, stamp, SM_CLOCK_MESSAGE);
    if (sm_order_releases(write->order))
        sm_vector_copy(message, sm_graph_hb(graph, stamp), graph->lanes);
    else
        sm_vector_clear(message, graph->lanes);
    bool fence_seen = false;
    for (uint32_t e = write->pred; e != SM_NO_NODE; e = graph->nodes[e].pred) {
        const struct sm_node *node = &graph->nodes[e];
        if (node->thread != write->thread || sm_order_releases(write->order))
            break;
        bool head = node->kind == SM_NODE_WRITE && node->loc == write->loc &&
                    sm_order_releases(node->order);
        bool fence = node->kind == SM_NODE_FENCE && sm_order_releases(node->order) && !fence_seen;
        if (head || fence)
            sm_vector_join(message, sm_graph_hb(graph, e), graph->lanes);
        fence_seen |= fence;
    }
    if (write->flags & SM_NODE_RMW) {
        uint32_t source = graph->nodes[write->pred].rf;
        if (source != SM_NO_NODE)
            sm_vector_join(message, sm_graph_clock(graph, source, SM_CLOCK_MESSAGE), graph->lanes);
    }
}

/* ---- adding and removing ---- */

static bool is_access(const struct sm_node *node)
{
    return node->kind == SM_NODE_READ || node->kind == SM_NODE_WRITE;
}

/* It is in the list of its location. */
static bool is_listed(const struct sm_node *node)
{
    return is_access(node) || node->kind == SM_NODE_ARRIVE || node->kind == SM_NODE_RENEW;
}

static bool is_sc(const struct sm_node *node)
{
    return (is_access(node) || node->kind == SM_NODE_FENCE) && node->order == SM_ORDER_SEQ_CST;
}

/* The pred of a child's first event is its creation. */
static void note_spawn(struct sm_graph *graph, uint32_t stamp)
{
    const struct sm_node *node = &graph->nodes[stamp];
    if (node->kind == SM_NODE_SPAWN)
        graph->last[node->value] = stamp;
}

static void link_node(struct sm_graph *graph, uint32_t stamp)
{
    struct sm_node *node = &graph->nodes[stamp];
    graph->last[node->thread] = stamp;
    graph->length[node->thread]++;
    graph->n_sc += is_sc(node);
    graph->n_plain += sm_node_is_plain(node);
    graph->n_frees += (node->flags & SM_NODE_FREES) != 0;
    note_spawn(graph, stamp);
    if (!is_listed(node))
        return;
    struct sm_loc *loc = &graph->locs[node->loc];
    node->older = loc->newest;
    loc->newest = stamp;
    node->mo_prev = node->mo_next = SM_NO_NODE;
}

uint32_t sm_graph_add(struct sm_graph *graph, const struct sm_node *node)
{
    if (graph->n == graph->capacity) {
        graph->nodes = sm_pool_double(graph->nodes, graph->capacity * sizeof *graph->nodes);
        graph->clocks = sm_pool_double(graph->clocks, clocks_size(graph, graph->capacity));
        graph->capacity *= 2;
    }
    if (node->kind == SM_NODE_SPAWN && node->value >= graph->lanes)
        widen(graph, (uint32_t)node->value);
    uint32_t stamp = graph->n++;
    struct sm_node *new = &graph->nodes[stamp];
    *new = *node;
    SM_ASSERT(graph->length[node->thread] < SM_GRAPH_LENGTH);
    new->index = graph->length[node->thread];
    new->pred = graph->last[node->thread];
    learn(graph, stamp);
    if (new->kind == SM_NODE_WRITE)
        make_message(graph, stamp);
    link_node(graph, stamp);
    return stamp;
}

void sm_graph_place(struct sm_graph *graph, uint32_t write, uint32_t after)
{
    struct sm_node *node = &graph->nodes[write];
    uint32_t next = sm_graph_next(graph, node->loc, after);
    node->mo_prev = after;
    node->mo_next = next;
    if (after != SM_NO_NODE)
        graph->nodes[after].mo_next = write;
    if (next != SM_NO_NODE)
        graph->nodes[next].mo_prev = write;
    else
        graph->locs[node->loc].mo_last = write;
}

void sm_graph_set_rf(struct sm_graph *graph, uint32_t read, uint32_t write)
{
    struct sm_node *node = &graph->nodes[read];
    bool fresh = node->rf == SM_NO_NODE; /* it has learned from nobody else */
    node->rf = write;
    node->after = 0;
    node->value = sm_graph_value(graph, node->loc, write);
    if (node->flags & SM_NODE_CAS) {
        graph->n_sc -= is_sc(node);
        node->order =
            sm_order_of_cas(node->value == node->expected, node->order_done, node->order_fail);
        graph->n_sc += is_sc(node);
    }
    if (node->op) {
        uint64_t next;
        bool done = sm_object_step(node->op, node->value, node->expected, &next) >= SM_STEP_PASSES;
        node->order = sm_order_of_cas(done, node->order_done, node->order_fail);
    }
    if (!fresh)
        learn(graph, read);
    else if (write != SM_NO_NODE)
        learn_from_others(graph, read);
}

static void displace(struct sm_graph *graph, const struct sm_node *node, uint32_t stamp)
{
    bool placed = node->mo_prev != SM_NO_NODE || node->mo_next != SM_NO_NODE ||
                  graph->locs[node->loc].mo_last == stamp;
    if (!placed)
        return;
    if (node->mo_prev != SM_NO_NODE)
        graph->nodes[node->mo_prev].mo_next = node->mo_next;
    if (node->mo_next != SM_NO_NODE)
        graph->nodes[node->mo_next].mo_prev = node->mo_prev;
    else
        graph->locs[node->loc].mo_last = node->mo_prev;
}

/* Undoes link_node for the newest node; modification order is left as it is. */
static void unlink_node(struct sm_graph *graph, const struct sm_node *node)
{
    graph->last[node->thread] = node->pred;
    graph->length[node->thread]--;
    graph->n_sc -= is_sc(node);
    graph->n_plain -= sm_node_is_plain(node);
    graph->n_frees -= (node->flags & SM_NODE_FREES) != 0;
    if (node->kind == SM_NODE_SPAWN)
        graph->last[node->value] = SM_NO_NODE;
    if (is_listed(node))
        graph->locs[node->loc].newest = node->older;
}

void sm_graph_cut(struct sm_graph *graph, uint32_t stamp)
{
    if (graph->n_ordered > stamp)
        graph->n_ordered = stamp;
    if (graph->n_tangled > stamp)
        graph->n_tangled = 0;
    while (graph->n > stamp) {
        uint32_t e = --graph->n;
        const struct sm_node *node = &graph->nodes[e];
        unlink_node(graph, node);
        if (node->kind == SM_NODE_WRITE)
            displace(graph, node, e);
    }
}

uint32_t sm_graph_next(const struct sm_graph *graph, uint16_t loc, uint32_t write)
{
    if (write != SM_NO_NODE)
        return graph->nodes[write].mo_next;
    uint32_t first = graph->locs[loc].mo_last;
    while (first != SM_NO_NODE && graph->nodes[first].mo_prev != SM_NO_NODE)
        first = graph->nodes[first].mo_prev;
    return first;
}

static bool waits_behind(const struct sm_graph *graph, uint16_t loc, uint32_t write,
                         uint32_t before)
{
    for (uint32_t e = graph->locs[loc].newest; e != SM_NO_NODE; e = graph->nodes[e].older)
        if ((graph->nodes[e].flags & SM_NODE_BLOCKED) && graph->nodes[e].rf == write && e < before)
            return true;
    return false;
}

bool sm_graph_is_awaited(const struct sm_graph *graph, uint16_t loc)
{
    return loc < graph->n_locs && waits_behind(graph, loc, graph->locs[loc].mo_last, SM_NO_NODE);
}

bool sm_graph_leaves_waiting(const struct sm_graph *graph, uint32_t write)
{
    uint32_t seen = graph->nodes[write].mo_prev;
    return seen != SM_NO_NODE && waits_behind(graph, graph->nodes[write].loc, seen, seen);
}

/* ---- revisits ---- */

/* Events up to `read` keep their stamps; `map` has the new stamps of later ones, or SM_NO_NODE. */
struct cut {
    uint32_t read;
    const uint32_t *map;
};

static uint32_t mapped(const struct cut *cut, uint32_t stamp)
{
    return stamp == SM_NO_NODE || stamp <= cut->read ? stamp : cut->map[stamp];
}

/* The same for every node after `stamp`. */
static void unlink_behind(struct sm_graph *graph, const struct sm_graph *from, uint32_t stamp)
{
    for (uint32_t e = from->n; --e > stamp;)
        unlink_node(graph, &from->nodes[e]);
}

static void copy_mo(struct sm_graph *to, const struct sm_graph *from, const struct cut *cut,
                    uint16_t loc)
{
    uint32_t next = SM_NO_NODE;
    to->locs[loc].mo_last = SM_NO_NODE;
    for (uint32_t w = from->locs[loc].mo_last; w != SM_NO_NODE; w = from->nodes[w].mo_prev) {
        uint32_t kept = mapped(cut, w);
        if (kept == SM_NO_NODE)
            continue;
        to->nodes[kept].mo_next = next;
        to->nodes[kept].mo_prev = SM_NO_NODE;
        if (next != SM_NO_NODE)
            to->nodes[next].mo_prev = kept;
        else
            to->locs[loc].mo_last = kept;
        next = kept;
    }
}

static void copy_behind(struct sm_graph *to, const struct sm_graph *from, uint32_t *map,
                        uint32_t read, uint32_t write)
{
    const struct cut cut = {read, map};
    const struct sm_vector *prefix = sm_graph_porf(from, write);
    for (uint32_t e = read + 1; e < from->n; e++) {
        const struct sm_node *node = &from->nodes[e];
        map[e] = SM_NO_NODE;
        if (e != write && !sm_vector_has(prefix, node))
            continue;
        uint32_t stamp = map[e] = to->n++;
        to->nodes[stamp] = *node;
        sm_vector_copy(sm_graph_clock(to, stamp, SM_CLOCK_PORF), sm_graph_porf(from, e),
                       SM_CLOCKS * to->lanes);
        to->nodes[stamp].pred = mapped(&cut, node->pred);
        link_node(to, stamp);
    }
}

/* A read may have a smaller stamp than the write it reads from. */
static void copy_rf(struct sm_graph *to, const struct cut *cut)
{
    for (uint32_t e = 0; e < to->n; e++)
        if (sm_node_has_rf(&to->nodes[e]) && e != cut->read)
            to->nodes[e].rf = mapped(cut, to->nodes[e].rf);
}

uint32_t sm_graph_revisit(struct sm_graph *to, const struct sm_graph *from, uint32_t read,
                          uint32_t write)
{
    uint32_t *map = sm_pool_get(from->n * sizeof *map);
    const struct cut cut = {read, map};
    *to = *from;
    to->n = read + 1;
    to->n_ordered = to->n_tangled = 0;
    get_blocks(to);
    copy_blocks(to, from);
    unlink_behind(to, from, read);
    copy_behind(to, from, map, read, write);
    copy_rf(to, &cut);
    for (uint32_t l = 0; l < from->n_locs; l++)
        copy_mo(to, from, &cut, (uint16_t)l);
    to->nodes[map[write]].flags |= SM_NODE_REVISITS;
    sm_graph_set_rf(to, read, map[write]);
    to->nodes[read].flags &= (uint8_t)~SM_NODE_BLOCKED;
    sm_pool_put(map, from->n * sizeof *map);
    return read;
}

/* ---- copies ---- */

void sm_graph_copy(struct sm_graph *to, const struct sm_graph *from)
{
    *to = *from;
    get_blocks(to);
    copy_blocks(to, from);
}

static void rename_nodes(struct sm_graph *to, const uint8_t names[])
{
    for (uint32_t e = 0; e < to->n; e++) {
        struct sm_node *node = &to->nodes[e];
        node->thread = names[node->thread];
        node->local = node->after = 0;
    }
    for (uint32_t e = 0; e < to->n; e++) {
        struct sm_node *node = &to->nodes[e];
        if (node->kind == SM_NODE_JOIN)
            node->rf = to->last[node->value];
    }
}

/* The new last events, and creations, of all threads. */
static void rename_threads(struct sm_graph *to, const struct sm_graph *from, const uint8_t names[])
{
    for (uint32_t e = 0; e < to->n; e++)
        note_spawn(to, e);
    for (uint32_t e = 0; e < to->n; e++)
        if (to->nodes[e].index == 0 && to->nodes[e].pred != SM_NO_NODE)
            to->nodes[e].pred = to->last[names[to->nodes[e].thread]];
    for (uint32_t t = 0; t < to->lanes; t++) {
        to->length[names[t]] = from->length[t];
        if (from->length[t])
            to->last[names[t]] = from->last[t];
    }
}

static bool remake_clock(struct sm_graph *graph, uint32_t e)
{
    size_t size = SM_CLOCKS * graph->lanes * sizeof *graph->clocks;
    uint16_t before[SM_CLOCKS * SM_GRAPH_THREADS];
    memcpy(before, sm_graph_porf(graph, e), size);
    learn(graph, e);
    if (graph->nodes[e].kind == SM_NODE_WRITE)
        make_message(graph, e);
    return memcmp(before, sm_graph_porf(graph, e), size) != 0;
}

/* All at once: a read may have a smaller stamp than the write it reads from. */
static void remake_clocks(struct sm_graph *graph)
{
    memset(graph->clocks, 0, clocks_size(graph, graph->n));
    for (bool more = true; more;) {
        more = false;
        for (uint32_t e = 0; e < graph->n; e++)
            more |= remake_clock(graph, e);
    }
}

void sm_graph_rename(struct sm_graph *to, const struct sm_graph *from, const uint8_t names[])
{
    sm_graph_copy(to, from);
    to->forest = to->n_ordered = to->n_tangled = 0;
    rename_threads(to, from, names);
    rename_nodes(to, names);
    remake_clocks(to);
}

void sm_graph_pack(const struct sm_graph *graph, struct sm_parcel *parcel)
{
    sm_parcel_put(parcel, graph, sizeof *graph);
    sm_parcel_put(parcel, graph->nodes, graph->n * sizeof *graph->nodes);
    sm_parcel_put(parcel, graph->clocks, clocks_size(graph, graph->n));
    sm_parcel_put(parcel, graph->locs, graph->n_locs * sizeof *graph->locs);
    sm_parcel_put(parcel, graph->last, threads_size(graph->lanes));
}

void sm_graph_unpack(struct sm_graph *graph, struct sm_parcel *parcel)
{
    sm_parcel_take(parcel, graph, sizeof *graph);
    graph->forest = 0; /* trees are not sent */
    get_blocks(graph);
    sm_parcel_take(parcel, graph->nodes, graph->n * sizeof *graph->nodes);
    sm_parcel_take(parcel, graph->clocks, clocks_size(graph, graph->n));
    sm_parcel_take(parcel, graph->locs, graph->n_locs * sizeof *graph->locs);
    sm_parcel_take(parcel, graph->last, threads_size(graph->lanes));
}
