#include "verify/graph/step.h"

#include "base/sys.h"
#include "verify/graph/objects.h"
#include "verify/graph/revisit.h"
#include "verify/loops/probe.h"

void sm_stepper_init(struct sm_stepper *stepper, struct sm_frontier *frontier,
                     struct sm_axioms *axioms)
{
    *stepper = (struct sm_stepper){.frontier = frontier, .axioms = axioms};
    /* Pages are touched only as far as they are used. */
    stepper->sources = sm_map(NULL, SM_MAX_CONTINUATIONS * sizeof *stepper->sources);
    stepper->places = sm_map(NULL, SM_MAX_CONTINUATIONS * sizeof *stepper->places);
}

/* ---- alternatives ---- */

/* Takes the first and pushes the others to the frontier; or takes the one that `choose` picks. */
static uint32_t take(struct sm_stepper *stepper, enum sm_purpose purpose, uint32_t stamp,
                     const uint32_t *options, uint32_t n)
{
    SM_ASSERT(n > 0);
    if (stepper->choose)
        return options[stepper->choose(purpose, options, n)];
    for (uint32_t i = n; i-- > 1;)
        sm_frontier_push(stepper->frontier, stamp, options[i], i < stepper->n_ordered);
    return options[0];
}

/* The last event keeps the graph sequentially consistent, if it was. */
static void keep_ordered(struct sm_graph *graph, bool ordered)
{
    if (ordered && graph->n_ordered == graph->n - 1)
        graph->n_ordered = graph->n;
}

/* ---- reads ---- */

static enum sm_step apply(const struct sm_node *read, const struct sm_local *rmw, uint64_t *written)
{
    if (read->op)
        return sm_object_step(read->op, read->value, read->expected, written);
    if (!rmw)
        return SM_STEP_PASSES;
    return sm_local_apply(rmw, read->value, written) ? SM_STEP_TAKES : SM_STEP_FAILS;
}

/* An RMW reads from a write that another RMW has read: not an execution, but the write of this one
   may revisit the other one's read. */
static void revisit_instead(struct sm_stepper *stepper, uint32_t read, uint64_t written)
{
    struct sm_graph *graph = sm_step_graph(stepper);
    struct sm_node node = graph->nodes[read];
    sm_node_take(&node, written);
    uint32_t write = sm_graph_add(graph, &node);
    sm_revisit(stepper, write);
    sm_graph_cut(graph, write);
}

/* The writes that coherence allows the read to read from. */
static uint32_t find_coherent(struct sm_stepper *stepper, uint32_t read)
{
    const struct sm_graph *graph = sm_step_graph(stepper);
    uint32_t last = graph->locs[graph->nodes[read].loc].mo_last, n = 0;
    uint32_t bound =
        stepper->sequential ? last : sm_axioms_bound(stepper->axioms, graph, read, SM_NO_NODE);
    for (uint32_t w = last;; w = graph->nodes[w].mo_prev) {
        SM_ASSERT(n < SM_MAX_CONTINUATIONS);
        stepper->sources[n++] = w;
        if (w == bound || w == SM_NO_NODE)
            return n;
    }
}

/* The read has read from a write before: find_sources. */
static void try_source(struct sm_graph *graph, uint32_t read, uint32_t w)
{
    if (graph->nodes[read].rf != w)
        sm_graph_set_rf(graph, read, w);
}

/* The read may read from w. If it may not only because another RMW does, its write revisits that
   one's read. */
static bool is_source(struct sm_stepper *stepper, uint32_t read, uint32_t w,
                      const struct sm_step_read *how, bool ordered)
{
    struct sm_graph *graph = sm_step_graph(stepper);
    uint64_t written;
    try_source(graph, read, w);
    const struct sm_node *node = &graph->nodes[read];
    enum sm_step step = apply(node, how->rmw, &written);
    uint32_t next = sm_graph_next(graph, node->loc, w);
    /* A thread that waits will look again, and see the newest state. */
    bool waits = (step == SM_STEP_WAITS && how->waits) ||
                 (how->state && sm_probe_is_futile(how->state, node->value));
    if ((waits && next != SM_NO_NODE) || (!ordered && !sm_axioms_hold(stepper->axioms, graph)))
        return false;
    bool taken = step == SM_STEP_TAKES && sm_graph_is_rmw(graph, next);
    if (taken && !stepper->choose)
        revisit_instead(stepper, read, written);
    return !taken;
}

static uint32_t find_sources(struct sm_stepper *stepper, uint32_t read,
                             const struct sm_step_read *how)
{
    struct sm_graph *graph = sm_step_graph(stepper);
    uint32_t *sources = stepper->sources;
    uint32_t n = find_coherent(stepper, read), kept = 0;
    sm_graph_set_rf(graph, read, sources[0]);
    uint32_t n_ordered = sm_axioms_order(stepper->axioms, graph, read, sources, n);
    stepper->n_ordered = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_source(stepper, read, sources[i], how, i < n_ordered))
            continue;
        sources[kept++] = sources[i];
        stepper->n_ordered += i < n_ordered;
    }
    return kept;
}

static uint32_t add_read(struct sm_stepper *stepper, const struct sm_node *node,
                         const struct sm_step_read *how)
{
    struct sm_graph *graph = sm_step_graph(stepper);
    uint32_t stamp = sm_graph_add(graph, node);
    uint32_t n = find_sources(stepper, stamp, how);
    uint32_t rf = take(stepper, SM_PURPOSE_VALUE, stamp, stepper->sources, n);
    try_source(graph, stamp, rf);
    keep_ordered(graph, stepper->n_ordered && rf == stepper->sources[0]);
    return stamp;
}

/* ---- writes ---- */

static uint32_t keep_holding(struct sm_stepper *stepper, uint32_t write, uint32_t n)
{
    struct sm_graph *graph = sm_step_graph(stepper);
    uint32_t *places = stepper->places;
    stepper->n_ordered = sm_axioms_order(stepper->axioms, graph, write, places, n);
    uint32_t kept = stepper->n_ordered;
    if (n < 2 || !sm_axioms_has_order(stepper->axioms, graph))
        return n;
    for (uint32_t i = kept; i < n; i++) {
        sm_graph_place(graph, write, places[i]);
        if (sm_axioms_hold(stepper->axioms, graph))
            places[kept++] = places[i];
        sm_revisit_unplace(graph, write);
    }
    return kept;
}

static uint32_t find_places(struct sm_stepper *stepper, uint32_t write)
{
    struct sm_graph *graph = sm_step_graph(stepper);
    if (stepper->sequential) {
        stepper->places[0] = graph->locs[graph->nodes[write].loc].mo_last;
        stepper->n_ordered = 0;
        return 1;
    }
    if (!stepper->choose)
        sm_revisit(stepper, write);
    return keep_holding(stepper, write, sm_revisit_places(stepper, graph, write, SM_NO_NODE));
}

static uint32_t add_write(struct sm_stepper *stepper, const struct sm_node *node)
{
    struct sm_graph *graph = sm_step_graph(stepper);
    uint32_t stamp = sm_graph_add(graph, node);
    uint32_t n = find_places(stepper, stamp);
    if (n == 0)
        return SM_NO_NODE;
    uint32_t place = take(stepper, SM_PURPOSE_ORDER, stamp, stepper->places, n);
    sm_graph_place(graph, stamp, place);
    keep_ordered(graph, stepper->n_ordered && place == stepper->places[0]);
    return stamp;
}

/* ---- nodes ---- */

static uint32_t replay(const struct sm_stepper *stepper, const struct sm_node *node)
{
    return stepper->replay ? stepper->replay(node) : SM_NO_NODE;
}

static uint32_t added(const struct sm_stepper *stepper, uint32_t stamp)
{
    if (stepper->added && stamp != SM_NO_NODE)
        stepper->added(stamp);
    return stamp;
}

uint32_t sm_step_read(struct sm_stepper *stepper, const struct sm_node *node,
                      const struct sm_step_read *how)
{
    uint32_t stamp = replay(stepper, node);
    return stamp != SM_NO_NODE ? stamp : added(stepper, add_read(stepper, node, how));
}

uint32_t sm_step_write(struct sm_stepper *stepper, const struct sm_node *node)
{
    uint32_t stamp = replay(stepper, node);
    return stamp != SM_NO_NODE ? stamp : added(stepper, add_write(stepper, node));
}

static uint32_t add_choice(struct sm_stepper *stepper, const struct sm_node *node)
{
    struct sm_graph *graph = sm_step_graph(stepper);
    uint32_t n = node->rf, stamp = sm_graph_add(graph, node);
    for (uint32_t i = n; !stepper->choose && i-- > 1;)
        sm_frontier_push(stepper->frontier, stamp, i, false);
    graph->nodes[stamp].value = stepper->choose ? stepper->choose(SM_PURPOSE_USER, NULL, n) : 0;
    keep_ordered(graph, true);
    return stamp;
}

static uint32_t add_other(struct sm_stepper *stepper, const struct sm_node *node)
{
    uint32_t stamp = sm_graph_add(sm_step_graph(stepper), node);
    keep_ordered(sm_step_graph(stepper), true);
    return stamp;
}

static uint32_t step_other(struct sm_stepper *stepper, const struct sm_node *node)
{
    uint32_t stamp = replay(stepper, node);
    if (stamp != SM_NO_NODE)
        return stamp;
    return added(stepper, node->kind == SM_NODE_CHOICE ? add_choice(stepper, node)
                                                       : add_other(stepper, node));
}

/* ---- events ---- */

static struct sm_node node_of(const struct sm_new_event *new, int kind)
{
    const struct sm_local *event = new->event;
    return (struct sm_node){.kind = (uint8_t)kind,
                            .order = event->order,
                            .thread = (uint8_t)new->thread,
                            .loc = event->loc,
                            .value = event->value,
                            .site = event->site,
                            .rf = SM_NO_NODE,
                            .at_once = (event->flags & SM_LOCAL_AT_ONCE) != 0,
                            .local = new->local};
}

/* Adds the write, and prunes the graph if it leads to nothing new. */
static enum sm_step_end write_node(struct sm_stepper *stepper, struct sm_new_event *new,
                                   const struct sm_node *node)
{
    new->write = sm_step_write(stepper, node);
    if (new->write == SM_NO_NODE)
        return SM_STEP_PRUNED;
    return stepper->gives_last && !stepper->sequential &&
                   sm_graph_leaves_waiting(sm_step_graph(stepper), new->write)
               ? SM_STEP_PRUNED
               : SM_STEP_ADDED;
}

static enum sm_step_end block(struct sm_stepper *stepper, uint32_t read)
{
    struct sm_node *node = &sm_step_graph(stepper)->nodes[read];
    node->flags |= SM_NODE_BLOCKED;
    stepper->impossible |= node->op == SM_DO_COND_SIGNAL;
    stepper->blocked = true;
    return SM_STEP_BLOCKED;
}

enum sm_step_end sm_graph_step_finish(struct sm_stepper *stepper, struct sm_new_event *new)
{
    const struct sm_node read = sm_step_graph(stepper)->nodes[new->stamp];
    const struct sm_local *event = new->event;
    uint64_t written = 0;
    new->write = SM_NO_NODE;
    new->step = apply(&read, event, &written);
    new->answer = read.value;
    if (event->kind == SM_LOCAL_OPERATE) {
        if (new->step == SM_STEP_WAITS && !(event->flags & SM_LOCAL_TRY))
            return block(stepper, new->stamp);
        new->answer = sm_object_answer((enum sm_object_op)event->op, new->step, read.value);
    }
    if (new->step != SM_STEP_TAKES)
        return SM_STEP_ADDED;
    struct sm_node write = read;
    sm_node_take(&write, written);
    return write_node(stepper, new, &write);
}

/* Makes the read an exclusive one (of an RMW). */
static void exclude(struct sm_node *read, const struct sm_local *event)
{
    read->flags = SM_NODE_EXCLUSIVE;
    if (event->op != SM_OP_CAS)
        return;
    read->flags |= SM_NODE_CAS;
    read->order_done = event->order;
    read->order_fail = event->order_fail;
    read->expected = event->size < 8 ? event->old & ((1ul << 8 * event->size) - 1) : event->old;
}

static enum sm_step_end read_to_write(struct sm_stepper *stepper, struct sm_new_event *new)
{
    const struct sm_local *event = new->event;
    struct sm_node node = node_of(new, SM_NODE_READ);
    struct sm_step_read how = {.rmw = event};
    if (event->kind == SM_LOCAL_OPERATE) {
        how.waits = !(event->flags & SM_LOCAL_TRY);
        sm_object_read(&node, (enum sm_object_op)event->op, event->value);
    } else {
        exclude(&node, event);
    }
    new->stamp = sm_step_read(stepper, &node, &how);
    return sm_graph_step_finish(stepper, new);
}

static enum sm_step_end read_it(struct sm_stepper *stepper, struct sm_new_event *new)
{
    struct sm_node node = node_of(new, SM_NODE_READ);
    new->stamp = sm_step_read(stepper, &node, &(struct sm_step_read){.state = new->state});
    new->answer = sm_step_graph(stepper)->nodes[new->stamp].value;
    return SM_STEP_ADDED;
}

static enum sm_step_end write_it(struct sm_stepper *stepper, struct sm_new_event *new)
{
    struct sm_node node = node_of(new, SM_NODE_WRITE);
    if (new->event->kind == SM_LOCAL_RELEASE)
        sm_object_release(&node, new->event->flags);
    else if (sm_op_ends_memory(new->event->op)) {
        node.flags = SM_NODE_FREES;
        node.op = new->event->op;
    }
    enum sm_step_end end = write_node(stepper, new, &node);
    new->stamp = new->write;
    return end;
}

static enum sm_step_end other(struct sm_stepper *stepper, struct sm_new_event *new,
                              const struct sm_node *node)
{
    new->stamp = step_other(stepper, node);
    return SM_STEP_ADDED;
}

/* An event that neither reads nor writes, and has no value in the graph. */
static enum sm_step_end mark(struct sm_stepper *stepper, struct sm_new_event *new, int kind)
{
    struct sm_node node = node_of(new, kind);
    node.value = 0;
    return other(stepper, new, &node);
}

static enum sm_step_end keep_value(struct sm_stepper *stepper, struct sm_new_event *new, int kind)
{
    struct sm_node node = node_of(new, kind);
    return other(stepper, new, &node);
}

static enum sm_step_end join(struct sm_stepper *stepper, struct sm_new_event *new)
{
    struct sm_node node = node_of(new, SM_NODE_JOIN);
    node.rf = sm_step_graph(stepper)->last[node.value];
    return other(stepper, new, &node);
}

static enum sm_step_end wake(struct sm_stepper *stepper, struct sm_new_event *new)
{
    struct sm_node node = node_of(new, SM_NODE_WAKE);
    node.rf = sm_object_waker(sm_step_graph(stepper), node.loc, new->thread);
    return other(stepper, new, &node);
}

static enum sm_step_end choose(struct sm_stepper *stepper, struct sm_new_event *new)
{
    const struct sm_local *event = new->event;
    const struct sm_node node = {.kind = SM_NODE_CHOICE,
                                 .thread = (uint8_t)new->thread,
                                 .rf = (uint32_t)event->value,
                                 .at_once = (event->flags & SM_LOCAL_AT_ONCE) != 0,
                                 .local = new->local};
    new->stamp = step_other(stepper, &node);
    new->answer = sm_local_told(event, sm_step_graph(stepper)->nodes[new->stamp].value);
    return SM_STEP_ADDED;
}

static enum sm_step_end step(struct sm_stepper *stepper, struct sm_new_event *new)
{
    switch (new->event->kind) {
    case SM_LOCAL_READ:
        return read_it(stepper, new);
    case SM_LOCAL_WRITE:
    case SM_LOCAL_RELEASE:
        return write_it(stepper, new);
    case SM_LOCAL_RMW:
    case SM_LOCAL_OPERATE:
        return read_to_write(stepper, new);
    case SM_LOCAL_FENCE:
        return mark(stepper, new, SM_NODE_FENCE);
    case SM_LOCAL_END:
        return mark(stepper, new, SM_NODE_END);
    case SM_LOCAL_SPAWN:
        return keep_value(stepper, new, SM_NODE_SPAWN);
    case SM_LOCAL_ARRIVE:
        return keep_value(stepper, new, SM_NODE_ARRIVE);
    case SM_LOCAL_DEPART:
        return keep_value(stepper, new, SM_NODE_DEPART);
    case SM_LOCAL_RENEW:
        return mark(stepper, new, SM_NODE_RENEW);
    case SM_LOCAL_JOIN:
        return join(stepper, new);
    case SM_LOCAL_WAKE:
        return wake(stepper, new);
    case SM_LOCAL_CHOICE:
        return choose(stepper, new);
    default:
        SM_ASSERT(false);
        return SM_STEP_PRUNED;
    }
}

enum sm_step_end sm_graph_step(struct sm_stepper *stepper, struct sm_new_event *new)
{
    new->write = SM_NO_NODE;
    new->answer = 0;
    enum sm_step_end end = step(stepper, new);
    stepper->gives_last = false;
    return end;
}
