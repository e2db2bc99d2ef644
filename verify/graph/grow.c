/* The graph grows by an event: what it may read, or where it may stand, and what it revisits. */
#include "base/sys.h"
#include "runtime/choice.h"
#include "runtime/model/memory.h"
#include "verify/consistency/axioms.h"
#include "verify/explore.h"
#include "verify/graph/objects.h"
#include "verify/graph/revisit.h"
#include "verify/graph/script.h"
#include "verify/graph/tree.h"
#include "verify/loops/probe.h"
#include "verify/pool.h"

/* Of the read, and of the write, at hand. Memory is touched only as far as it is used. */
static struct ways {
    uint32_t *sources, *places;
    uint32_t n_ordered; /* how many keep the graph in one order */
} *ways;

void sm_tree_grow_start(void)
{
    ways = sm_pool_get(sizeof *ways);
    ways->sources = sm_map(NULL, SM_MAX_WAYS * sizeof *ways->sources);
    ways->places = sm_map(NULL, SM_MAX_WAYS * sizeof *ways->places);
}

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
    struct sm_node node = graph->nodes[read];
    sm_node_take(&node, written);
    uint32_t write = sm_graph_add(graph, &node);
    sm_revisit(write, ways->places);
    sm_graph_cut(graph, write);
}

/* What the read may read, as far as coherence goes. */
static uint32_t find_coherent(const struct sm_graph *graph, uint32_t read)
{
    uint32_t bound = sm_axioms_bound(graph, read, SM_NO_NODE), n = 0;
    for (uint32_t w = graph->locs[graph->nodes[read].loc].mo_last;; w = graph->nodes[w].mo_prev) {
        SM_ASSERT(n < SM_MAX_WAYS);
        ways->sources[n++] = w;
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
    bool taken = step == SM_STEP_TAKES && sm_graph_is_rmw(graph, next);
    if (taken && sm_exploring == SM_EXPLORE_ALL)
        revisit_instead(read, written);
    return !taken;
}

static uint32_t find_sources(uint32_t read, const struct sm_tree_rmw *rmw)
{
    struct sm_graph *graph = sm_tree_graph();
    uint32_t n = find_coherent(graph, read), kept = 0;
    sm_graph_set_rf(graph, read, ways->sources[0]);
    uint32_t n_ordered = sm_axioms_order(graph, read, ways->sources, n);
    ways->n_ordered = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_source(read, ways->sources[i], rmw, i < n_ordered))
            continue;
        ways->sources[kept++] = ways->sources[i];
        ways->n_ordered += i < n_ordered;
    }
    return kept;
}

/* Takes the first way and leaves the others for later; or the way that was chosen. */
static uint32_t take_way(enum sm_purpose purpose, uint32_t stamp, const uint32_t *options,
                         uint32_t n, uint32_t wanted)
{
    SM_ASSERT(n > 0);
    if (sm_exploring == SM_EXPLORE_ALL) {
        for (uint32_t i = n; i-- > 1;)
            sm_tree_leave(stamp, options[i], i < ways->n_ordered);
        return options[0];
    }
    uint32_t at = 0;
    while (sm_exploring == SM_EXPLORE_SCRIPT && at + 1 < n && options[at] != wanted)
        at++;
    return options[sm_script_choose(purpose, n, at)];
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
    uint32_t rf = take_way(SM_PURPOSE_VALUE, stamp, ways->sources, n, sm_script_rf());
    sm_graph_set_rf(graph, stamp, rf);
    keep_ordered(graph, ways->n_ordered && rf == ways->sources[0]);
    return stamp;
}

static uint32_t keep_holding(struct sm_graph *graph, uint32_t write, uint32_t *places, uint32_t n)
{
    ways->n_ordered = sm_axioms_order(graph, write, places, n);
    uint32_t kept = ways->n_ordered;
    if (n < 2 || !sm_axioms_has_order(graph))
        return n;
    for (uint32_t i = kept; i < n; i++) {
        sm_graph_place(graph, write, places[i]);
        if (sm_axioms_hold(graph))
            places[kept++] = places[i];
        sm_revisit_unplace(graph, write);
    }
    return kept;
}

uint32_t sm_tree_write(const struct sm_node *node)
{
    struct sm_graph *graph = sm_tree_graph();
    uint32_t *places = ways->places;
    uint32_t stamp = sm_graph_add(graph, node);
    if (sm_exploring == SM_EXPLORE_ALL)
        sm_revisit(stamp, places);
    uint32_t n = sm_revisit_places(graph, stamp, SM_NO_NODE, places);
    n = keep_holding(graph, stamp, places, n);
    if (n == 0)
        return SM_NO_NODE;
    uint32_t place = take_way(SM_PURPOSE_ORDER, stamp, places, n, sm_script_place());
    sm_graph_place(graph, stamp, place);
    keep_ordered(graph, ways->n_ordered && place == places[0]);
    return stamp;
}

uint32_t sm_tree_choice(uint32_t thread, uint32_t n, uint32_t local)
{
    struct sm_node node = {
        .kind = SM_NODE_CHOICE, .thread = (uint8_t)thread, .rf = n, .local = local};
    const struct sm_node *script = sm_script_node();
    uint32_t stamp = sm_graph_add(sm_tree_graph(), &node);
    for (uint32_t i = n; sm_exploring == SM_EXPLORE_ALL && i-- > 1;)
        sm_tree_leave(stamp, i, false);
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
