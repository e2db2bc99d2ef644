#include "verify/graph/revisit.h"

#include "base/sys.h"
#include "verify/consistency/axioms.h"
#include "verify/graph/symmetry.h"

/* x was added before `e`, or is in the porf-prefix of the write. */
static bool is_previous(const struct sm_graph *graph, uint32_t x, uint32_t e, uint32_t write)
{
    return x <= e || (x != write && sm_vector_has(sm_graph_porf(graph, write), &graph->nodes[x]));
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
        return false; /* its readers came later, and are not in the prefix of the current write */
    for (uint32_t x = graph->locs[graph->nodes[w].loc].newest; x != SM_NO_NODE;
         x = graph->nodes[x].older)
        if (graph->nodes[x].kind == SM_NODE_READ && graph->nodes[x].rf == w &&
            is_previous(graph, x, w, write))
            return true;
    return false;
}

/* It reads from, or is, the newest write among the previous events: a maximal extension. */
static bool is_maximal(const struct sm_graph *graph, uint32_t e, uint32_t write)
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

/* The write is mo-before the bound. */
static bool misses(const struct sm_graph *graph, uint32_t write, uint32_t bound)
{
    for (; write != SM_NO_NODE; write = graph->nodes[write].mo_prev)
        if (write == bound)
            return false;
    return bound != SM_NO_NODE;
}

uint32_t sm_revisit_places(struct sm_stepper *stepper, const struct sm_graph *graph, uint32_t write,
                           uint32_t other)
{
    const struct sm_node *node = &graph->nodes[write];
    uint32_t *places = stepper->places;
    uint32_t bound = sm_axioms_bound(stepper->axioms, graph, write, other), n = 0;
    if (node->flags & SM_NODE_RMW) {
        places[0] = graph->nodes[node->pred].rf;
        return !sm_graph_is_rmw(graph, sm_graph_next(graph, node->loc, places[0])) &&
               !misses(graph, places[0], bound);
    }
    for (uint32_t w = graph->locs[node->loc].mo_last;; w = graph->nodes[w].mo_prev) {
        SM_ASSERT(n < SM_MAX_CONTINUATIONS);
        if (!sm_graph_is_rmw(graph, sm_graph_next(graph, node->loc, w)))
            places[n++] = w;
        if (w == bound || w == SM_NO_NODE)
            return n;
    }
}

void sm_revisit_unplace(struct sm_graph *graph, uint32_t write)
{
    struct sm_node node = graph->nodes[write];
    SM_ASSERT(write + 1 == graph->n);
    sm_graph_cut(graph, write);
    sm_graph_add(graph, &node);
}

/* In `to` the write is mo-last; in `from` the events up to the write (an RMW: up to its read) were
   sequentially consistent. */
static bool stays_ordered(const struct sm_graph *from, uint32_t write, const struct sm_graph *to)
{
    const struct sm_node *node = &from->nodes[write];
    uint32_t first = node->flags & SM_NODE_RMW ? node->pred : write;
    return from->n_ordered >= first && to->nodes[to->n - 1].mo_next == SM_NO_NODE;
}

static void revisit_one(struct sm_stepper *stepper, uint32_t read, uint32_t write)
{
    const struct sm_graph *graph = sm_step_graph(stepper);
    struct sm_graph to;
    uint32_t new_read = sm_graph_revisit(&to, graph, read, write);
    uint32_t n = sm_revisit_places(stepper, &to, to.n - 1, new_read);
    for (uint32_t i = 0; i < n; i++) {
        sm_graph_place(&to, to.n - 1, stepper->places[i]);
        if (stays_ordered(graph, write, &to))
            to.n_ordered = to.n;
        if (sm_axioms_hold(stepper->axioms, &to) &&
            !(stepper->symmetry && sm_symmetry_excludes(stepper->symmetry, &to))) {
            sm_frontier_push_graph(stepper->frontier, &to);
            if (i + 1 == n)
                return;
            new_read = sm_graph_revisit(&to, graph, read, write);
        } else {
            sm_revisit_unplace(&to, to.n - 1);
            sm_graph_set_rf(&to, new_read, to.n - 1);
        }
    }
    sm_graph_free(&to);
}

/* The newest read of the location before `e` that is not in the porf-prefix of the write. */
static uint32_t next_to_revisit(const struct sm_graph *graph, uint32_t e, uint32_t write)
{
    const struct sm_vector *prefix = sm_graph_porf(graph, write);
    do
        e = graph->nodes[e].older;
    while (e != SM_NO_NODE &&
           (graph->nodes[e].kind != SM_NODE_READ || sm_vector_has(prefix, &graph->nodes[e])));
    return e;
}

/* A read-modify-write directly follows the write it reads from: no other one that remains does. */
static bool has_place(const struct sm_graph *graph, uint32_t read, uint32_t write)
{
    const struct sm_node *node = &graph->nodes[write];
    if (!(node->flags & SM_NODE_RMW))
        return true;
    uint32_t next = sm_graph_next(graph, node->loc, graph->nodes[node->pred].rf);
    return !sm_graph_is_rmw(graph, next) || !is_previous(graph, next, read, write);
}

/* From the newest event on: the first that is not maximal rules out all reads before it. */
void sm_revisit(struct sm_stepper *stepper, uint32_t write)
{
    const struct sm_graph *graph = sm_step_graph(stepper);
    const struct sm_vector *prefix = sm_graph_porf(graph, write);
    uint32_t e = write;
    for (uint32_t read = next_to_revisit(graph, write, write); read != SM_NO_NODE;
         read = next_to_revisit(graph, read, write)) {
        while (e-- > read)
            if (!sm_vector_has(prefix, &graph->nodes[e]) && !is_maximal(graph, e, write))
                return;
        if (has_place(graph, read, write))
            revisit_one(stepper, read, write);
        e = read;
    }
}
