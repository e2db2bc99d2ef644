#include "verify/graph/frontier.h"

#include "verify/pool.h"

enum { FIRST_PENDING = 64, FIRST_GRAPHS = 16 };

struct sm_pending {
    uint32_t depth;        /* of the graph it belongs to; a revisit: of the graph it came from */
    uint32_t stamp;        /* the event with another alternative; SM_NO_NODE: a revisit */
    bool ordered;          /* this alternative keeps the graph sequentially consistent
                              (sm_axioms_order) */
    struct sm_turn turn;   /* of the thread that adds the event `stamp` */
    uint64_t way;          /* see sm_frontier_push */
    struct sm_graph graph; /* of a revisit */
};

void sm_frontier_init(struct sm_frontier *frontier)
{
    *frontier =
        (struct sm_frontier){.pending_capacity = FIRST_PENDING, .graph_capacity = FIRST_GRAPHS};
    frontier->pending = sm_pool_get(FIRST_PENDING * sizeof *frontier->pending);
    frontier->graphs = sm_pool_get(FIRST_GRAPHS * sizeof *frontier->graphs);
    frontier->now = frontier->graphs;
    sm_graph_init(frontier->now);
}

void sm_frontier_free(struct sm_frontier *frontier)
{
    sm_frontier_clear(frontier);
    sm_graph_free(&frontier->graphs[0]);
    sm_pool_put(frontier->pending, frontier->pending_capacity * sizeof *frontier->pending);
    sm_pool_put(frontier->graphs, frontier->graph_capacity * sizeof *frontier->graphs);
}

static void drop_graphs(struct sm_frontier *frontier, uint32_t depth)
{
    while (frontier->depth > depth)
        sm_graph_free(&frontier->graphs[frontier->depth--]);
    frontier->now = &frontier->graphs[frontier->depth];
}

void sm_frontier_clear(struct sm_frontier *frontier)
{
    while (frontier->n_pending) {
        struct sm_pending *entry = &frontier->pending[--frontier->n_pending];
        if (entry->stamp == SM_NO_NODE)
            sm_graph_free(&entry->graph);
    }
    drop_graphs(frontier, 0);
    sm_graph_clear(&frontier->graphs[0]);
}

static struct sm_pending *push(struct sm_frontier *frontier, uint32_t stamp)
{
    if (frontier->n_pending == frontier->pending_capacity) {
        frontier->pending = sm_pool_double(frontier->pending,
                                           frontier->pending_capacity * sizeof *frontier->pending);
        frontier->pending_capacity *= 2;
    }
    struct sm_pending *entry = &frontier->pending[frontier->n_pending++];
    entry->depth = frontier->depth;
    entry->stamp = stamp;
    entry->turn = (struct sm_turn){.thread = SM_NO_NODE}; /* whole, as it is read */
    return entry;
}

void sm_frontier_push(struct sm_frontier *frontier, uint32_t stamp, uint64_t way, bool ordered)
{
    struct sm_pending *entry = push(frontier, stamp);
    entry->way = way;
    entry->ordered = ordered;
}

void sm_frontier_push_turn(struct sm_frontier *frontier, uint32_t thread, uint32_t used)
{
    push(frontier, sm_frontier_graph(frontier)->n)->turn = (struct sm_turn){thread, used};
}

void sm_frontier_push_graph(struct sm_frontier *frontier, const struct sm_graph *graph)
{
    push(frontier, SM_NO_NODE)->graph = *graph;
}

/* ---- taking an alternative ---- */

static void redirect(struct sm_graph *graph, const struct sm_pending *entry)
{
    if (entry->turn.thread != SM_NO_NODE) {
        sm_graph_cut(graph, entry->stamp);
        return;
    }
    struct sm_node node = graph->nodes[entry->stamp];
    sm_graph_cut(graph, entry->stamp);
    uint32_t stamp = sm_graph_add(graph, &node);
    switch (node.kind) {
    case SM_NODE_READ:
        graph->nodes[stamp].flags &= (uint8_t)~SM_NODE_BLOCKED;
        sm_graph_set_rf(graph, stamp, (uint32_t)entry->way);
        break;
    case SM_NODE_WRITE:
        sm_graph_place(graph, stamp, (uint32_t)entry->way);
        break;
    default:
        graph->nodes[stamp].value = entry->way;
        graph->nodes[stamp].after = 0;
    }
    if (entry->ordered && graph->n_ordered == stamp)
        graph->n_ordered = graph->n;
}

static void add_graph(struct sm_frontier *frontier, const struct sm_graph *graph)
{
    if (frontier->depth + 1 == frontier->graph_capacity) {
        frontier->graphs =
            sm_pool_double(frontier->graphs, frontier->graph_capacity * sizeof *frontier->graphs);
        frontier->graph_capacity *= 2;
    }
    frontier->now = &frontier->graphs[++frontier->depth];
    *frontier->now = *graph;
}

bool sm_frontier_pop(struct sm_frontier *frontier)
{
    if (!frontier->n_pending)
        return false;
    const struct sm_pending *entry = &frontier->pending[--frontier->n_pending];
    drop_graphs(frontier, entry->depth);
    frontier->turn = entry->turn;
    if (entry->stamp == SM_NO_NODE)
        add_graph(frontier, &entry->graph);
    else
        redirect(sm_frontier_graph(frontier), entry);
    return true;
}

void sm_frontier_restart(struct sm_frontier *frontier, const struct sm_graph *graph)
{
    sm_frontier_clear(frontier);
    sm_frontier_push_graph(frontier, graph);
    sm_frontier_pop(frontier);
}

/* ---- parts for other processes ---- */

void sm_frontier_copy(const struct sm_frontier *frontier, struct sm_graph *to, uint32_t nth)
{
    const struct sm_pending *entry = &frontier->pending[nth];
    bool revisit = entry->stamp == SM_NO_NODE;
    sm_graph_copy(to, revisit ? &entry->graph : &frontier->graphs[entry->depth]);
    if (!revisit)
        redirect(to, entry);
}

static void pack_copy(const struct sm_frontier *frontier, struct sm_parcel *parcel, uint32_t nth)
{
    struct sm_graph graph;
    sm_frontier_copy(frontier, &graph, nth);
    sm_graph_pack(&graph, parcel);
    sm_graph_free(&graph);
}

static void pack_entry(struct sm_frontier *frontier, struct sm_parcel *parcel, uint32_t nth)
{
    struct sm_pending *entry = &frontier->pending[nth];
    pack_copy(frontier, parcel, nth);
    if (entry->stamp == SM_NO_NODE)
        sm_graph_free(&entry->graph);
}

/* From the oldest on: it roots the largest subtree. */
void sm_frontier_pack(struct sm_frontier *frontier, struct sm_parcel *parcel)
{
    uint32_t n = (frontier->n_pending + 1) / 2, kept = 0;
    sm_parcel_put(parcel, &n, sizeof n);
    for (uint32_t i = 0; i < frontier->n_pending; i++)
        if (i % 2)
            frontier->pending[kept++] = frontier->pending[i];
        else
            pack_entry(frontier, parcel, i);
    frontier->n_pending = kept;
}

void sm_frontier_pack_copy(const struct sm_frontier *frontier, struct sm_parcel *parcel)
{
    sm_parcel_put(parcel, &frontier->n_pending, sizeof frontier->n_pending);
    for (uint32_t i = 0; i < frontier->n_pending; i++)
        pack_copy(frontier, parcel, i);
}

void sm_frontier_pack_nothing(struct sm_parcel *parcel)
{
    static const uint32_t none;
    sm_parcel_put(parcel, &none, sizeof none);
}

bool sm_frontier_unpack(struct sm_frontier *frontier, struct sm_parcel *parcel)
{
    uint32_t n;
    sm_parcel_take(parcel, &n, sizeof n);
    for (uint32_t i = 0; i < n; i++)
        sm_graph_unpack(&push(frontier, SM_NO_NODE)->graph, parcel);
    return n;
}
