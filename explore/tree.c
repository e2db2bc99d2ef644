#include "tree.h"

#include <string.h>

#include "../abi/control.h"
#include "../runtime/choice.h"
#include "../runtime/model/memory.h"
#include "../runtime/sys.h"
#include "axioms.h"
#include "explore.h"
#include "objects.h"
#include "order.h"
#include "pool.h"
#include "probe.h"
#include "symmetry.h"

/* More ways than MAX_WAYS a location with that many writes would have; memory is touched only
   as far as it is used. */
enum { FIRST_ITEMS = 64, FIRST_GRAPHS = 16, MAX_WAYS = 1 << 20 };

/* Something still to be explored. */
struct item {
    uint32_t depth;        /* of the graph it belongs to; a revisit: of the graph it came from */
    uint32_t stamp;        /* the event that goes another way; SM_NO_NODE: a revisit */
    bool ordered;          /* that way keeps the graph in one order (sm_axioms_order) */
    uint64_t way;          /* read: the write; write: what it stands behind; choice: the answer */
    struct sm_graph graph; /* of a revisit */
};

struct thread_events {
    uint32_t done, n, capacity;
    uint32_t *stamps;
};

static struct tree {
    struct item *items;
    uint32_t n_items, item_capacity;
    struct sm_graph *graphs; /* [0] grew by itself, each other from a revisit of one below */
    uint32_t depth, graph_capacity;
    struct thread_events threads[SM_GRAPH_THREADS];
    struct sm_graph target; /* of a script */
    uint32_t *script;       /* moments of the target (axioms.h), in order */
    uint32_t script_length, cursor;
    uint32_t wanted;
    uint32_t *sources, *places; /* the ways of the read and of the write at hand */
    uint32_t n_ordered;         /* how many of them keep the graph in one order */
} *tree, *aside;

/* Of a tree in which nothing is pending. */
static void make_room(void)
{
    tree->n_items = tree->depth = 0;
    tree->item_capacity = FIRST_ITEMS;
    tree->graph_capacity = FIRST_GRAPHS;
    tree->items = sm_pool_get(FIRST_ITEMS * sizeof *tree->items);
    tree->graphs = sm_pool_get(FIRST_GRAPHS * sizeof *tree->graphs);
    sm_graph_init(&tree->graphs[0]);
    for (unsigned i = 0; i < SM_GRAPH_THREADS; i++) {
        tree->threads[i].capacity = FIRST_ITEMS;
        tree->threads[i].stamps = sm_pool_get(FIRST_ITEMS * sizeof(uint32_t));
    }
}

static void free_room(void)
{
    sm_tree_clear();
    sm_graph_free(&tree->graphs[0]);
    sm_pool_put(tree->items, tree->item_capacity * sizeof *tree->items);
    sm_pool_put(tree->graphs, tree->graph_capacity * sizeof *tree->graphs);
    for (unsigned i = 0; i < SM_GRAPH_THREADS; i++)
        sm_pool_put(tree->threads[i].stamps, tree->threads[i].capacity * sizeof(uint32_t));
}

void sm_tree_start(void)
{
    tree = sm_pool_get(sizeof *tree);
    aside = sm_pool_get(sizeof *aside);
    *tree = (struct tree){0};
    tree->sources = sm_map(NULL, MAX_WAYS * sizeof *tree->sources);
    tree->places = sm_map(NULL, MAX_WAYS * sizeof *tree->places);
    make_room();
}

/* By content: restarts restore the pointer. */
void sm_tree_set_aside(bool on)
{
    if (on) {
        *aside = *tree;
        make_room();
    } else {
        free_room();
        *tree = *aside;
    }
}

struct sm_graph *sm_tree_graph(void)
{
    return &tree->graphs[tree->depth];
}

static void climb_down(uint32_t depth)
{
    while (tree->depth > depth)
        sm_graph_free(&tree->graphs[tree->depth--]);
}

void sm_tree_clear(void)
{
    while (tree->n_items) {
        struct item *item = &tree->items[--tree->n_items];
        if (item->stamp == SM_NO_NODE)
            sm_graph_free(&item->graph);
    }
    climb_down(0);
    sm_graph_clear(&tree->graphs[0]);
}

static struct item *push(uint32_t stamp, uint64_t way)
{
    if (tree->n_items == tree->item_capacity) {
        tree->items = sm_pool_double(tree->items, tree->item_capacity * sizeof *tree->items);
        tree->item_capacity *= 2;
    }
    struct item *item = &tree->items[tree->n_items++];
    item->depth = tree->depth;
    item->stamp = stamp;
    item->ordered = false;
    item->way = way;
    return item;
}

/* ---- going another way ---- */

static void go(struct sm_graph *graph, const struct item *item)
{
    struct sm_node node = graph->nodes[item->stamp];
    sm_graph_cut(graph, item->stamp);
    uint32_t stamp = sm_graph_add(graph, &node);
    switch (node.kind) {
    case SM_NODE_READ:
        graph->nodes[stamp].flags &= (uint8_t)~SM_NODE_BLOCKED;
        sm_graph_set_rf(graph, stamp, (uint32_t)item->way);
        break;
    case SM_NODE_WRITE:
        sm_graph_place(graph, stamp, (uint32_t)item->way);
        break;
    default:
        graph->nodes[stamp].value = item->way;
        graph->nodes[stamp].after = 0;
    }
    if (item->ordered && graph->n_ordered == stamp)
        graph->n_ordered = graph->n;
}

static void climb_up(const struct sm_graph *graph)
{
    if (tree->depth + 1 == tree->graph_capacity) {
        tree->graphs = sm_pool_double(tree->graphs, tree->graph_capacity * sizeof *tree->graphs);
        tree->graph_capacity *= 2;
    }
    tree->graphs[++tree->depth] = *graph;
}

bool sm_tree_next(void)
{
    if (!tree->n_items)
        return false;
    struct item item = tree->items[--tree->n_items];
    climb_down(item.depth);
    if (item.stamp == SM_NO_NODE)
        climb_up(&item.graph);
    else
        go(sm_tree_graph(), &item);
    return true;
}

/* ---- parts for others ---- */

uint32_t sm_tree_pending(void)
{
    return tree->n_items;
}

void sm_tree_copy(struct sm_graph *to, uint32_t nth)
{
    const struct item *item = &tree->items[nth];
    sm_graph_copy(to, item->stamp == SM_NO_NODE ? &item->graph : &tree->graphs[item->depth]);
    if (item->stamp != SM_NO_NODE)
        go(to, item);
}

void sm_tree_go_on(const struct sm_graph *graph)
{
    sm_tree_clear();
    push(SM_NO_NODE, 0)->graph = *graph;
    sm_tree_next();
}

static void pack_item(struct sm_parcel *parcel, uint32_t nth)
{
    struct item *item = &tree->items[nth];
    struct sm_graph graph;
    sm_tree_copy(&graph, nth);
    sm_graph_pack(&graph, parcel);
    sm_graph_free(&graph);
    if (item->stamp == SM_NO_NODE)
        sm_graph_free(&item->graph);
}

/* From the oldest on: it stands for more than any other. */
void sm_tree_pack(struct sm_parcel *parcel)
{
    uint32_t n = (tree->n_items + 1) / 2, kept = 0;
    sm_parcel_put(parcel, &n, sizeof n);
    for (uint32_t i = 0; i < tree->n_items; i++)
        if (i % 2)
            tree->items[kept++] = tree->items[i];
        else
            pack_item(parcel, i);
    tree->n_items = kept;
}

void sm_tree_pack_nothing(struct sm_parcel *parcel)
{
    static const uint32_t none;
    sm_parcel_put(parcel, &none, sizeof none);
}

bool sm_tree_unpack(struct sm_parcel *parcel)
{
    uint32_t n;
    sm_parcel_take(parcel, &n, sizeof n);
    for (uint32_t i = 0; i < n; i++)
        sm_graph_unpack(&push(SM_NO_NODE, 0)->graph, parcel);
    return n;
}

/* ---- the events of each thread ---- */

static void note(uint32_t stamp)
{
    struct thread_events *events = &tree->threads[sm_tree_graph()->nodes[stamp].thread];
    if (events->n == events->capacity) {
        events->stamps = sm_pool_double(events->stamps, events->capacity * sizeof *events->stamps);
        events->capacity *= 2;
    }
    events->stamps[events->n++] = stamp;
}

void sm_tree_begin(void)
{
    const struct sm_graph *graph = sm_tree_graph();
    for (unsigned i = 0; i < SM_GRAPH_THREADS; i++)
        tree->threads[i].done = tree->threads[i].n = 0;
    for (uint32_t e = 0; e < graph->n; e++)
        note(e);
}

bool sm_tree_has_more(uint32_t thread)
{
    return tree->threads[thread].done < tree->threads[thread].n;
}

uint16_t sm_tree_position(uint32_t thread)
{
    return (uint16_t)tree->threads[thread].done;
}

uint32_t sm_tree_replay(uint32_t thread)
{
    struct thread_events *events = &tree->threads[thread];
    return events->done < events->n ? events->stamps[events->done++] : SM_NO_NODE;
}

struct sm_node *sm_tree_peek(uint32_t thread, uint32_t nth)
{
    const struct thread_events *events = &tree->threads[thread];
    return events->done + nth < events->n
               ? &sm_tree_graph()->nodes[events->stamps[events->done + nth]]
               : NULL;
}

void sm_tree_skip(uint32_t thread, uint32_t n)
{
    tree->threads[thread].done += n;
}

void sm_tree_added(uint32_t stamp)
{
    note(stamp);
    tree->threads[sm_tree_graph()->nodes[stamp].thread].done++;
    tree->cursor++;
}

static const struct sm_node *script_node(void);
static uint32_t script_rf(void);
static uint32_t script_place(void);

/* ---- revisits ---- */

/* Was there when `e` was added, or would be without it. */
static bool is_previous(const struct sm_graph *graph, uint32_t x, uint32_t e, uint32_t write)
{
    return x <= e || (x != write && sm_vector_has(&graph->clocks[write].porf, &graph->nodes[x]));
}

static bool is_newest(const struct sm_graph *graph, uint16_t loc, uint32_t w, uint32_t e,
                      uint32_t write)
{
    for (uint32_t x = sm_graph_next(graph, loc, w); x != SM_NO_NODE; x = graph->nodes[x].mo_next)
        if (is_previous(graph, x, e, write))
            return false;
    return w == SM_NO_NODE || is_previous(graph, w, e, write);
}

static bool is_read_by_previous(const struct sm_graph *graph, uint32_t w, uint32_t write)
{
    if (!(graph->nodes[w].flags & SM_NODE_REVISITS))
        return false; /* what reads from it came later, and the write at hand needs none of it */
    for (uint32_t x = graph->locs[graph->nodes[w].loc].newest; x != SM_NO_NODE;
         x = graph->nodes[x].older)
        if (graph->nodes[x].kind == SM_NODE_READ && graph->nodes[x].rf == w &&
            is_previous(graph, x, w, write))
            return true;
    return false;
}

/* It went the dullest way there was: it read, or is, the newest write. */
static bool is_dull(const struct sm_graph *graph, uint32_t e, uint32_t write)
{
    const struct sm_node *node = &graph->nodes[e];
    switch (node->kind) {
    case SM_NODE_READ:
        return is_newest(graph, node->loc, node->rf, e, write);
    case SM_NODE_WRITE:
        return !is_read_by_previous(graph, e, write) && is_newest(graph, node->loc, e, e, write);
    case SM_NODE_CHOICE:
        return node->value == 0;
    default:
        return true;
    }
}

static bool is_rmw(const struct sm_graph *graph, uint32_t write)
{
    return write != SM_NO_NODE && (graph->nodes[write].flags & SM_NODE_RMW);
}

/* The write comes before the bound. */
static bool misses(const struct sm_graph *graph, uint32_t write, uint32_t bound)
{
    for (; write != SM_NO_NODE; write = graph->nodes[write].mo_prev)
        if (write == bound)
            return false;
    return bound != SM_NO_NODE;
}

/* The places a write may take: what it stands behind, newest first. */
static uint32_t find_places(struct sm_graph *graph, uint32_t write, uint32_t other)
{
    uint32_t *places = tree->places;
    const struct sm_node *node = &graph->nodes[write];
    uint32_t bound = sm_axioms_bound(graph, write, other), n = 0;
    if (node->flags & SM_NODE_RMW) {
        places[0] = graph->nodes[node->pred].rf;
        return !is_rmw(graph, sm_graph_next(graph, node->loc, places[0])) &&
               !misses(graph, places[0], bound);
    }
    for (uint32_t w = graph->locs[node->loc].mo_last;; w = graph->nodes[w].mo_prev) {
        SM_ASSERT(n < MAX_WAYS);
        if (!is_rmw(graph, sm_graph_next(graph, node->loc, w)))
            places[n++] = w;
        if (w == bound || w == SM_NO_NODE)
            return n;
    }
}

static void unplace(struct sm_graph *graph, uint32_t write)
{
    struct sm_node node = graph->nodes[write];
    SM_ASSERT(write + 1 == graph->n);
    sm_graph_cut(graph, write);
    sm_graph_add(graph, &node);
}

/* Nothing comes after the write, but the read; nor did anything after the write's own read. */
static bool stays_ordered(const struct sm_graph *from, uint32_t write, const struct sm_graph *to)
{
    const struct sm_node *node = &from->nodes[write];
    uint32_t first = node->flags & SM_NODE_RMW ? node->pred : write;
    return from->n_ordered >= first && to->nodes[to->n - 1].mo_next == SM_NO_NODE;
}

static void revisit_one(uint32_t read, uint32_t write)
{
    const struct sm_graph *graph = sm_tree_graph();
    struct sm_graph to;
    const uint32_t *places = tree->places;
    uint32_t new_read = sm_graph_revisit(&to, graph, read, write);
    uint32_t n = find_places(&to, to.n - 1, new_read);
    for (uint32_t i = 0; i < n; i++) {
        sm_graph_place(&to, to.n - 1, places[i]);
        if (stays_ordered(graph, write, &to))
            to.n_ordered = to.n;
        if (sm_axioms_hold(&to) && !sm_symmetry_is_vain(&to)) {
            push(SM_NO_NODE, 0)->graph = to;
            if (i + 1 == n)
                return;
            new_read = sm_graph_revisit(&to, graph, read, write);
        } else {
            unplace(&to, to.n - 1);
            sm_graph_set_rf(&to, new_read, to.n - 1);
        }
    }
    sm_graph_free(&to);
}

/* The newest read of the location before `e` that does not depend on the write. */
static uint32_t next_to_revisit(const struct sm_graph *graph, uint32_t e, uint32_t write)
{
    const struct sm_vector *prefix = &graph->clocks[write].porf;
    do
        e = graph->nodes[e].older;
    while (e != SM_NO_NODE &&
           (graph->nodes[e].kind != SM_NODE_READ || sm_vector_has(prefix, &graph->nodes[e])));
    return e;
}

/* Everything behind the read that the write does not need must be dull: the first event that is
   not, from the newest on, ends it for all reads before it. */
static void revisit(uint32_t write)
{
    const struct sm_graph *graph = sm_tree_graph();
    uint32_t e = write;
    for (uint32_t read = next_to_revisit(graph, write, write); read != SM_NO_NODE;
         read = next_to_revisit(graph, read, write)) {
        while (e-- > read)
            if (!sm_vector_has(&graph->clocks[write].porf, &graph->nodes[e]) &&
                !is_dull(graph, e, write))
                return;
        revisit_one(read, write);
        e = read;
    }
}

/* ---- new events ---- */

/* What comes of a read. */
static enum sm_step apply(const struct sm_node *read, const struct sm_tree_rmw *rmw,
                          uint64_t *written)
{
    if (read->op)
        return sm_object_step(read->op, read->value, read->expected, written);
    if (!rmw->event)
        return SM_STEP_PASSES;
    struct sm_event event = *rmw->event;
    bool done = sm_rmw_apply(&event, read->value);
    *written = event.value;
    return done ? SM_STEP_TAKES : SM_STEP_FAILS;
}

/* A read-modify-write reads what another one has taken: no execution, but its write may be
   what that other one reads instead. */
static void revisit_instead(uint32_t read, uint64_t written)
{
    struct sm_graph *graph = sm_tree_graph();
    const struct sm_node *from = &graph->nodes[read];
    struct sm_node node = {.kind = SM_NODE_WRITE,
                           .order = from->order,
                           .flags = (uint8_t)(SM_NODE_RMW | (from->flags & SM_NODE_LOCK)),
                           .thread = from->thread,
                           .loc = from->loc,
                           .local = from->local,
                           .value = written};
    uint32_t write = sm_graph_add(graph, &node);
    revisit(write);
    sm_graph_cut(graph, write);
}

/* What the read may read, as far as coherence goes. */
static uint32_t find_coherent(const struct sm_graph *graph, uint32_t read)
{
    uint32_t bound = sm_axioms_bound(graph, read, SM_NO_NODE), n = 0;
    for (uint32_t w = graph->locs[graph->nodes[read].loc].mo_last;; w = graph->nodes[w].mo_prev) {
        SM_ASSERT(n < MAX_WAYS);
        tree->sources[n++] = w;
        if (w == bound || w == SM_NO_NODE)
            return n;
    }
}

/* The read may read this; or at least lets its write be read by another one. */
static bool is_source(uint32_t read, uint32_t w, const struct sm_tree_rmw *rmw, bool ordered)
{
    struct sm_graph *graph = sm_tree_graph();
    uint64_t written;
    sm_graph_set_rf(graph, read, w);
    const struct sm_node *node = &graph->nodes[read];
    enum sm_step step = apply(node, rmw, &written);
    uint32_t next = sm_graph_next(graph, node->loc, w);
    /* Who waits will look again, and see the newest state. */
    bool waits = (step == SM_STEP_WAITS && rmw->waits) ||
                 (rmw->state && sm_probe_is_vain(rmw->state, node->value));
    if ((waits && next != SM_NO_NODE) || (!ordered && !sm_axioms_hold(graph)))
        return false;
    bool taken = step == SM_STEP_TAKES && is_rmw(graph, next);
    if (taken && sm_exploring == SM_EXPLORE_ALL)
        revisit_instead(read, written);
    return !taken;
}

static uint32_t find_sources(uint32_t read, const struct sm_tree_rmw *rmw)
{
    struct sm_graph *graph = sm_tree_graph();
    uint32_t n = find_coherent(graph, read), kept = 0;
    sm_graph_set_rf(graph, read, tree->sources[0]);
    uint32_t n_ordered = sm_axioms_order(graph, read, tree->sources, n);
    tree->n_ordered = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_source(read, tree->sources[i], rmw, i < n_ordered))
            continue;
        tree->sources[kept++] = tree->sources[i];
        tree->n_ordered += i < n_ordered;
    }
    return kept;
}

/* Takes the first way and leaves the others for later; or the way that was chosen. */
static uint32_t take_way(enum sm_purpose purpose, uint32_t stamp, const uint32_t *ways, uint32_t n,
                         uint32_t wanted)
{
    SM_ASSERT(n > 0);
    if (sm_exploring == SM_EXPLORE_ALL) {
        for (uint32_t i = n; i-- > 1;)
            push(stamp, ways[i])->ordered = i < tree->n_ordered;
        return ways[0];
    }
    uint32_t at = 0;
    while (sm_exploring == SM_EXPLORE_SCRIPT && at + 1 < n && ways[at] != wanted)
        at++;
    return ways[sm_tree_choose(purpose, n, at)];
}

/* The last event came into the graph without breaking its order, if it had one. */
static void keep_ordered(struct sm_graph *graph, bool ordered)
{
    if (ordered && graph->n_ordered == graph->n - 1)
        graph->n_ordered = graph->n;
}

uint32_t sm_tree_read(const struct sm_node *node, const struct sm_tree_rmw *rmw)
{
    struct sm_graph *graph = sm_tree_graph();
    struct sm_node copy = *node;
    copy.rf = SM_NO_NODE;
    uint32_t stamp = sm_graph_add(graph, &copy);
    uint32_t n = find_sources(stamp, rmw);
    uint32_t rf = take_way(SM_PURPOSE_VALUE, stamp, tree->sources, n, script_rf());
    sm_graph_set_rf(graph, stamp, rf);
    keep_ordered(graph, tree->n_ordered && rf == tree->sources[0]);
    return stamp;
}

static uint32_t keep_holding(struct sm_graph *graph, uint32_t write, uint32_t *places, uint32_t n)
{
    tree->n_ordered = sm_axioms_order(graph, write, places, n);
    uint32_t kept = tree->n_ordered;
    if (n < 2 || !sm_axioms_has_order(graph))
        return n;
    for (uint32_t i = kept; i < n; i++) {
        sm_graph_place(graph, write, places[i]);
        if (sm_axioms_hold(graph))
            places[kept++] = places[i];
        unplace(graph, write);
    }
    return kept;
}

uint32_t sm_tree_write(const struct sm_node *node)
{
    struct sm_graph *graph = sm_tree_graph();
    uint32_t *places = tree->places;
    uint32_t stamp = sm_graph_add(graph, node);
    if (sm_exploring == SM_EXPLORE_ALL)
        revisit(stamp);
    uint32_t n = find_places(graph, stamp, SM_NO_NODE);
    n = keep_holding(graph, stamp, places, n);
    if (n == 0)
        return SM_NO_NODE;
    uint32_t place = take_way(SM_PURPOSE_ORDER, stamp, places, n, script_place());
    sm_graph_place(graph, stamp, place);
    keep_ordered(graph, tree->n_ordered && place == places[0]);
    return stamp;
}

uint32_t sm_tree_choice(uint32_t thread, uint32_t n, uint32_t local)
{
    struct sm_node node = {
        .kind = SM_NODE_CHOICE, .thread = (uint8_t)thread, .rf = n, .local = local};
    const struct sm_node *script = script_node();
    uint32_t stamp = sm_graph_add(sm_tree_graph(), &node);
    for (uint32_t i = n; sm_exploring == SM_EXPLORE_ALL && i-- > 1;)
        push(stamp, i);
    sm_tree_graph()->nodes[stamp].value = script ? script->value : 0;
    keep_ordered(sm_tree_graph(), true);
    return stamp;
}

uint32_t sm_tree_other(const struct sm_node *node)
{
    uint32_t stamp = sm_graph_add(sm_tree_graph(), node);
    keep_ordered(sm_tree_graph(), true);
    return stamp;
}

/* ---- scripts ---- */

void sm_tree_script(void)
{
    struct sm_graph empty;
    sm_graph_init(&empty);
    tree->target = *sm_tree_graph();
    *sm_tree_graph() = empty;
    tree->script = sm_pool_get((2 * tree->target.n + 1) * sizeof *tree->script);
    tree->script_length = sm_order_find(&tree->target, tree->script);
    SM_ASSERT(tree->script_length || !tree->target.n);
    tree->cursor = 0;
}

void sm_tree_script_done(void)
{
    sm_pool_put(tree->script, (2 * tree->target.n + 1) * sizeof *tree->script);
    sm_graph_free(sm_tree_graph());
    *sm_tree_graph() = tree->target;
}

uint32_t sm_tree_script_thread(void)
{
    for (uint32_t i = tree->cursor; i < tree->script_length; i++)
        if (!(tree->script[i] & 1))
            return tree->target.nodes[tree->script[i] / 2].thread;
    return SM_NO_NODE;
}

/* A node of the target in the graph that follows it: events were added in script order. */
static uint32_t follower(uint32_t target)
{
    uint32_t stamp = 0;
    for (uint32_t i = 0; target != SM_NO_NODE && i < tree->cursor; i++) {
        if (tree->script[i] == 2 * target)
            return stamp;
        stamp += !(tree->script[i] & 1);
    }
    return SM_NO_NODE;
}

uint32_t sm_tree_script_landing(void)
{
    if (sm_exploring != SM_EXPLORE_SCRIPT || tree->cursor >= tree->script_length ||
        !(tree->script[tree->cursor] & 1))
        return SM_NO_NODE;
    return follower(tree->script[tree->cursor] / 2);
}

void sm_tree_script_landed(void)
{
    tree->cursor += sm_exploring == SM_EXPLORE_SCRIPT;
}

static const struct sm_node *script_node(void)
{
    if (sm_exploring != SM_EXPLORE_SCRIPT || tree->cursor >= tree->script_length)
        return NULL;
    return &tree->target.nodes[tree->script[tree->cursor] / 2];
}

static uint32_t script_rf(void)
{
    const struct sm_node *node = script_node();
    return node ? follower(node->rf) : SM_NO_NODE;
}

/* Behind the nearest write before it that is there already. */
static uint32_t script_place(void)
{
    const struct sm_node *node = script_node();
    if (!node)
        return SM_NO_NODE;
    for (uint32_t w = node->mo_prev; w != SM_NO_NODE; w = tree->target.nodes[w].mo_prev)
        if (follower(w) != SM_NO_NODE)
            return follower(w);
    return SM_NO_NODE;
}

uint32_t sm_tree_choose(enum sm_purpose purpose, uint32_t n, uint32_t wanted)
{
    tree->wanted = wanted;
    return sm_choose(purpose, n, NULL);
}

uint32_t sm_tree_wanted(void)
{
    return tree->wanted;
}
