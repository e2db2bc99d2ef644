#include "verify/graph/tree.h"

#include "verify/graph/script.h"
#include "verify/pool.h"

enum { FIRST_ITEMS = 64, FIRST_GRAPHS = 16 };

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

static struct item *push(uint32_t stamp, uint64_t way, bool ordered)
{
    if (tree->n_items == tree->item_capacity) {
        tree->items = sm_pool_double(tree->items, tree->item_capacity * sizeof *tree->items);
        tree->item_capacity *= 2;
    }
    struct item *item = &tree->items[tree->n_items++];
    item->depth = tree->depth;
    item->stamp = stamp;
    item->ordered = ordered;
    item->way = way;
    return item;
}

void sm_tree_leave(uint32_t stamp, uint64_t way, bool ordered)
{
    push(stamp, way, ordered);
}

void sm_tree_leave_graph(const struct sm_graph *graph)
{
    push(SM_NO_NODE, 0, false)->graph = *graph;
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
    sm_tree_leave_graph(graph);
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
        sm_graph_unpack(&push(SM_NO_NODE, 0, false)->graph, parcel);
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
    sm_script_added();
}
