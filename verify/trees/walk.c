#include "verify/trees/walk.h"

#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "verify/explore.h"
#include "verify/graph/graph.h"
#include "verify/graph/nodes.h"
#include "verify/graph/objects.h"
#include "verify/graph/order.h"
#include "verify/graph/share.h"
#include "verify/graph/tree.h"
#include "verify/loops/await.h"
#include "verify/trees/learn.h"
#include "verify/trees/local.h"

/* Of this execution. */
static struct walk {
    uint32_t at[SM_GRAPH_THREADS]; /* what the thread does next; 0: nothing more */
    uint32_t n;                    /* threads, numbered below that */
    uint32_t failed;               /* FAIL or ASSUME of a thread that stopped so, the last one */
    uint32_t n_failed;
    uint32_t outcome;
    bool blocked;    /* a thread waits for an object */
    bool impossible; /* a signal waits for a thread that does not come: no execution */
    bool gives_last; /* who goes on gives back what all others wait for (others_come_behind) */
} walk;

enum step { GO_ON, RUN, PRUNE, EXIT };

/* One execution in so many is run, though its trees are known. */
enum { ONE_IN = 1024 };

uint32_t sm_walk_outcome(void)
{
    return walk.outcome;
}

/* ---- where the threads are ---- */

static bool is_waiting(const struct sm_local *event, enum sm_step step)
{
    return step == SM_STEP_WAITS && !(event->flags & SM_LOCAL_TRY);
}

static struct sm_event rmw_of(const struct sm_local *event)
{
    return (struct sm_event){.kind = SM_EV_RMW,
                             .size = event->size,
                             .order = event->order,
                             .order_fail = event->order_fail,
                             .op = event->op,
                             .value = event->value,
                             .old = event->old};
}

/* What comes of a read-modify-write, or of an operation on an object. */
static enum sm_step step_of(const struct sm_local *event, uint64_t read, uint64_t *written)
{
    if (event->kind == SM_LOCAL_OPERATE)
        return sm_object_step((enum sm_object_op)event->op, read, event->value, written);
    return sm_local_apply(event, read, written) ? SM_STEP_TAKES : SM_STEP_FAILS;
}

/* The serial thread, from 1, if this arrival, or the choice before it, says who that is. */
static uint64_t elected_by(const struct sm_graph *graph, const struct sm_node *arrival)
{
    const struct sm_node *before = &graph->nodes[arrival->pred];
    const struct sm_local *choice = sm_local_at(before->local);
    if (before->kind != SM_NODE_CHOICE || !(choice->flags & SM_LOCAL_UNTOLD))
        return sm_local_at(arrival->local)->old;
    return sm_ballot_elected(sm_ballot_of(choice->old), (uint32_t)before->value);
}

static bool is_serial(const struct sm_graph *graph, const struct sm_node *departure)
{
    uint32_t e = graph->locs[departure->loc].newest;
    for (; e != SM_NO_NODE; e = graph->nodes[e].older)
        if (sm_node_departs_after(departure, &graph->nodes[e]) &&
            elected_by(graph, &graph->nodes[e]) == departure->thread + 1u)
            return true;
    return false;
}

/* What the thread was told that did it, and has gone on. */
static uint64_t answer_of(const struct sm_graph *graph, const struct sm_node *node,
                          const struct sm_local *event)
{
    uint64_t unused;
    switch (event->kind) {
    case SM_LOCAL_RMW:
        return node->kind == SM_NODE_READ ? node->value : graph->nodes[node->pred].value;
    case SM_LOCAL_OPERATE: {
        uint64_t state = node->kind == SM_NODE_READ ? node->value : graph->nodes[node->pred].value;
        return sm_object_answer((enum sm_object_op)event->op, step_of(event, state, &unused),
                                state);
    }
    case SM_LOCAL_READ:
        return node->value;
    case SM_LOCAL_CHOICE:
        return sm_local_told(event, node->value);
    case SM_LOCAL_JOIN:
        return sm_learn_left_by(graph->nodes[node->rf].local);
    case SM_LOCAL_DEPART:
        return is_serial(graph, node);
    default:
        return 0;
    }
}

/* Its read-modify-write has been read, and not written. */
static bool is_half_done(const struct sm_node *node, const struct sm_local *event)
{
    uint64_t unused;
    return (node->flags & SM_NODE_EXCLUSIVE) &&
           step_of(event, node->value, &unused) == SM_STEP_TAKES;
}

static bool is_blocked(const struct sm_node *node, const struct sm_local *event)
{
    uint64_t unused;
    return event->kind == SM_LOCAL_OPERATE && node->kind == SM_NODE_READ &&
           is_waiting(event, step_of(event, node->value, &unused));
}

static enum step finish(uint32_t thread, uint32_t read);
static enum step block(uint32_t thread, uint32_t read);

static enum step place(struct sm_graph *graph, uint32_t thread)
{
    uint32_t last = graph->last[thread];
    struct sm_node *node = &graph->nodes[last];
    walk.at[thread] = 0;
    if (!node->local)
        return RUN;
    if (node->thread != thread) { /* its creation */
        walk.at[thread] = sm_local_child(node->local, SM_LOCAL_BORN);
        return GO_ON;
    }
    const struct sm_local *event = sm_local_at(node->local);
    if (!node->after && is_blocked(node, event))
        return block(thread, last);
    if (!node->after && is_half_done(node, event))
        return finish(thread, last);
    if (!node->after && node->kind != SM_NODE_END)
        node->after = sm_local_child(node->local, answer_of(graph, node, event));
    walk.at[thread] = sm_local_resolve(node->after); /* a run may have been there since */
    return GO_ON;
}

static enum step place_all(struct sm_graph *graph)
{
    walk.n = walk.n_failed = 0;
    walk.blocked = walk.gives_last = walk.impossible = false;
    for (uint32_t t = 0, most = sm_share_thread_count(); t < most; t++) {
        walk.at[t] = t ? 0 : sm_local_root();
        enum step step = graph->last[t] == SM_NO_NODE ? GO_ON : place(graph, t);
        if (step != GO_ON)
            return step;
        if (t == 0 || graph->last[t] != SM_NO_NODE)
            walk.n = t + 1;
    }
    return GO_ON;
}

/* ---- who goes on ---- */

static bool is_used(const struct sm_graph *graph, uint16_t loc)
{
    return loc < graph->n_locs && graph->locs[loc].newest != SM_NO_NODE;
}

static uint64_t newest_value(const struct sm_graph *graph, uint16_t loc)
{
    return is_used(graph, loc) ? sm_graph_value(graph, loc, graph->locs[loc].mo_last)
                               : sm_learned_initial(loc);
}

/* A read that is tried first (probe.h), and after which the thread would be back there. */
static bool is_vain(const struct sm_graph *graph, uint32_t thread, uint32_t read)
{
    const struct sm_local *event = sm_local_at(read);
    uint32_t next = sm_local_find(read, newest_value(graph, event->loc));
    const struct sm_local *then = sm_local_at(next);
    return next && then->kind == SM_LOCAL_IDLE && then->value == graph->length[thread];
}

static enum sm_rank rank_of_join(const struct sm_graph *graph, uint64_t thread)
{
    uint32_t last = graph->last[thread];
    const struct sm_node *node = &graph->nodes[last];
    bool ended = last != SM_NO_NODE && node->kind == SM_NODE_END && node->thread == thread;
    return ended ? SM_RANK_GOES_ON : SM_RANK_WAITS;
}

static enum sm_rank rank_of_operation(const struct sm_graph *graph, const struct sm_local *event)
{
    uint64_t unused;
    if (event->kind == SM_LOCAL_OPERATE &&
        is_waiting(event, step_of(event, newest_value(graph, event->loc), &unused)))
        return SM_RANK_WOULD_WAIT;
    return walk.blocked && sm_object_gives((enum sm_object_op)event->op) &&
                   sm_graph_is_awaited(graph, event->loc)
               ? SM_RANK_GIVES
               : SM_RANK_GOES_ON;
}

static enum sm_rank rank_of_departure(const struct sm_graph *graph, const struct sm_local *event)
{
    const struct sm_node departure = {.value = event->value};
    uint64_t arrived = 0;
    for (uint32_t e = graph->locs[event->loc].newest; e != SM_NO_NODE; e = graph->nodes[e].older)
        arrived += sm_node_departs_after(&departure, &graph->nodes[e]);
    return arrived < event->old ? SM_RANK_WAITS : SM_RANK_GOES_ON;
}

static enum sm_rank rank_of(const struct sm_graph *graph, uint32_t thread)
{
    const struct sm_local *event = sm_local_at(walk.at[thread]);
    switch (event->kind) {
    case SM_LOCAL_JOIN:
        return rank_of_join(graph, event->value);
    case SM_LOCAL_OPERATE:
    case SM_LOCAL_RELEASE:
        return rank_of_operation(graph, event);
    case SM_LOCAL_READ:
        return (event->flags & SM_LOCAL_PROBES) && is_vain(graph, thread, walk.at[thread])
                   ? SM_RANK_WOULD_WAIT
                   : SM_RANK_GOES_ON;
    case SM_LOCAL_WAKE:
        return sm_object_waker(graph, event->loc, thread) == SM_NO_NODE ? SM_RANK_WAITS
                                                                        : SM_RANK_GOES_ON;
    case SM_LOCAL_DEPART:
        return rank_of_departure(graph, event);
    case SM_LOCAL_EXIT:
        return SM_RANK_LEAVES;
    default:
        return SM_RANK_GOES_ON;
    }
}

/* Threads that wait for ever are at 0. */
static uint32_t pick(const struct sm_graph *graph, enum sm_rank *rank)
{
    uint32_t best = SM_NO_NODE;
    *rank = SM_RANK_WAITS;
    for (uint32_t t = 0; t < walk.n; t++) {
        enum sm_rank own = walk.at[t] ? rank_of(graph, t) : SM_RANK_WAITS;
        if (own >= *rank)
            continue;
        best = t;
        *rank = own;
        if (own == SM_RANK_GOES_ON)
            break;
    }
    return best;
}

static bool comes_behind(const struct sm_graph *graph, uint32_t thread, uint16_t given)
{
    const struct sm_local *event = sm_local_at(walk.at[thread]);
    const struct sm_awaiting waits = {.thread = thread,
                                      .op = (enum sm_object_op)event->op,
                                      .arg = event->value,
                                      .loc = event->loc};
    return event->kind == SM_LOCAL_OPERATE && sm_object_comes_behind(graph, &waits, given);
}

/* See objects.h. */
static bool others_come_behind(const struct sm_graph *graph, uint32_t thread)
{
    uint16_t given = sm_local_at(walk.at[thread])->loc;
    for (uint32_t t = 0; t < walk.n; t++) {
        if (t == thread || !walk.at[t])
            continue;
        enum sm_rank rank = rank_of(graph, t);
        bool waits = rank == SM_RANK_WOULD_WAIT && comes_behind(graph, t, given);
        if (rank < SM_RANK_LEAVES && !waits)
            return false;
    }
    return true;
}

/* ---- events ---- */

static struct sm_node node_of(uint32_t thread, int kind)
{
    const struct sm_local *event = sm_local_at(walk.at[thread]);
    return (struct sm_node){.kind = (uint8_t)kind,
                            .order = event->order,
                            .thread = (uint8_t)thread,
                            .loc = event->loc,
                            .value = event->value,
                            .site = event->site,
                            .rf = SM_NO_NODE,
                            .local = walk.at[thread]};
}

static void touch(uint16_t loc)
{
    struct sm_graph *graph = sm_tree_graph();
    if (!is_used(graph, loc))
        sm_graph_touch(graph, loc, sm_learned_initial(loc));
}

/* The thread has done it: its last node. */
static void go_on(uint32_t thread, uint64_t answer)
{
    struct sm_graph *graph = sm_tree_graph();
    walk.at[thread] = sm_local_child(walk.at[thread], answer);
    graph->nodes[graph->last[thread]].after = walk.at[thread];
}

static enum step read_it(uint32_t thread, bool vain)
{
    const struct sm_local *event = sm_local_at(walk.at[thread]);
    struct sm_tree_rmw how = {.state = event->flags & SM_LOCAL_PROBES && !vain ? event->old : 0};
    struct sm_node node = node_of(thread, SM_NODE_READ);
    uint16_t index = sm_tree_graph()->length[thread];
    if ((event->flags & SM_LOCAL_PROBES) &&
        !sm_local_find(walk.at[thread], newest_value(sm_tree_graph(), event->loc)))
        return RUN;
    touch(event->loc);
    uint32_t stamp = sm_tree_read(&node, &how);
    if (vain) { /* nobody else can go on: it waits for ever */
        sm_await_stop(thread, index);
        walk.at[thread] = 0;
        return GO_ON;
    }
    go_on(thread, sm_tree_graph()->nodes[stamp].value);
    return GO_ON;
}

/* The write is done; unless nothing can come of it. */
static enum step add_write(const struct sm_node *node)
{
    uint32_t stamp = sm_tree_write(node);
    if (stamp == SM_NO_NODE)
        return PRUNE;
    return walk.gives_last && sm_graph_leaves_waiting(sm_tree_graph(), stamp) ? PRUNE : GO_ON;
}

static enum step write_it(uint32_t thread, const struct sm_node *node)
{
    enum step step = add_write(node);
    if (step == GO_ON)
        go_on(thread, 0);
    return step;
}

static enum step store(uint32_t thread)
{
    struct sm_node node = node_of(thread, SM_NODE_WRITE);
    touch(node.loc);
    return write_it(thread, &node);
}

static enum step release(uint32_t thread)
{
    struct sm_node node = node_of(thread, SM_NODE_WRITE);
    sm_object_release(&node, sm_local_at(node.local)->flags);
    if (!is_used(sm_tree_graph(), node.loc) && (sm_local_at(node.local)->flags & SM_LOCAL_ANEW)) {
        go_on(thread, 0);
        return GO_ON;
    }
    touch(node.loc);
    return write_it(thread, &node);
}

/* The thread has read what does not let it do its operation. */
static enum step block(uint32_t thread, uint32_t read)
{
    struct sm_node *node = &sm_tree_graph()->nodes[read];
    node->flags |= SM_NODE_BLOCKED;
    walk.impossible |= node->op == SM_DO_COND_SIGNAL;
    walk.blocked = true;
    walk.at[thread] = 0;
    return GO_ON;
}

/* The read of a read-modify-write is done: it writes, if it does. */
static enum step finish(uint32_t thread, uint32_t stamp)
{
    const struct sm_node read = sm_tree_graph()->nodes[stamp];
    const struct sm_local *event = sm_local_at(read.local);
    uint64_t written = 0;
    enum sm_step step = step_of(event, read.value, &written);
    walk.at[thread] = read.local;
    if (is_waiting(event, step))
        return block(thread, stamp);
    if (step == SM_STEP_TAKES) {
        struct sm_node write = read;
        sm_node_take(&write, written);
        if (add_write(&write) == PRUNE)
            return PRUNE;
    }
    bool operates = event->kind == SM_LOCAL_OPERATE;
    go_on(thread,
          operates ? sm_object_answer((enum sm_object_op)event->op, step, read.value) : read.value);
    return GO_ON;
}

static enum step read_to_write(uint32_t thread)
{
    const struct sm_local *event = sm_local_at(walk.at[thread]);
    struct sm_event rmw = rmw_of(event);
    struct sm_tree_rmw how = {.event = &rmw};
    struct sm_node node = node_of(thread, SM_NODE_READ);
    if (event->kind == SM_LOCAL_OPERATE) {
        how = (struct sm_tree_rmw){.waits = !(event->flags & SM_LOCAL_TRY)};
        sm_object_read(&node, (enum sm_object_op)event->op, event->value);
    } else {
        sm_node_exclude(&node, &rmw);
    }
    touch(event->loc);
    return finish(thread, sm_tree_read(&node, &how));
}

static enum step spawn(uint32_t thread)
{
    struct sm_node node = node_of(thread, SM_NODE_SPAWN);
    uint32_t child = (uint32_t)node.value;
    sm_tree_other(&node);
    walk.at[child] = sm_local_child(node.local, SM_LOCAL_BORN);
    if (walk.n <= child)
        walk.n = child + 1;
    go_on(thread, 0);
    return GO_ON;
}

static enum step join(uint32_t thread)
{
    struct sm_node node = node_of(thread, SM_NODE_JOIN);
    const struct sm_graph *graph = sm_tree_graph();
    node.rf = graph->last[node.value];
    uint64_t left = sm_learn_left_by(graph->nodes[node.rf].local);
    if (!graph->nodes[node.rf].local)
        return RUN;
    sm_tree_other(&node);
    go_on(thread, left);
    return GO_ON;
}

static enum step wake(uint32_t thread)
{
    struct sm_node node = node_of(thread, SM_NODE_WAKE);
    node.rf = sm_object_waker(sm_tree_graph(), node.loc, thread);
    sm_tree_other(&node);
    go_on(thread, 0);
    return GO_ON;
}

static enum step arrive(uint32_t thread)
{
    struct sm_node node = node_of(thread, SM_NODE_ARRIVE);
    touch(node.loc);
    sm_tree_other(&node);
    go_on(thread, 0);
    return GO_ON;
}

static enum step depart(uint32_t thread)
{
    struct sm_node node = node_of(thread, SM_NODE_DEPART);
    sm_tree_other(&node);
    go_on(thread, is_serial(sm_tree_graph(), &node));
    return GO_ON;
}

static enum step other(uint32_t thread, int kind)
{
    struct sm_node node = node_of(thread, kind);
    node.value = 0;
    sm_tree_other(&node);
    if (kind == SM_NODE_END)
        walk.at[thread] = 0;
    else
        go_on(thread, 0);
    return GO_ON;
}

static enum step choose(uint32_t thread)
{
    const struct sm_local *event = sm_local_at(walk.at[thread]);
    uint32_t stamp = sm_tree_choice(thread, (uint32_t)event->value, walk.at[thread]);
    go_on(thread, sm_local_told(event, sm_tree_graph()->nodes[stamp].value));
    return GO_ON;
}

/* See wait_if_idle in model.c. */
static enum step wait_in_loop(uint32_t thread)
{
    const struct sm_local *event = sm_local_at(walk.at[thread]);
    sm_await_waited(thread, (uint16_t)event->value, event->old);
    if (sm_await_is_vain(sm_tree_graph(), thread)) {
        sm_control->explored.blocked++;
        return PRUNE;
    }
    sm_await_stopped(thread);
    walk.at[thread] = 0;
    return GO_ON;
}

static enum step fail(uint32_t thread)
{
    walk.failed = walk.at[thread];
    walk.n_failed++;
    walk.at[thread] = 0;
    return GO_ON;
}

static enum step leave(uint32_t thread)
{
    const struct sm_local *event = sm_local_at(walk.at[thread]);
    walk.outcome = (uint32_t)event->old;
    bool expected = event->value == (uint32_t)sm_option(expect_exit);
    return walk.n_failed || (expected && walk.outcome) ? EXIT : RUN;
}

static enum step go(uint32_t thread, enum sm_rank rank)
{
    switch (sm_local_at(walk.at[thread])->kind) {
    case SM_LOCAL_READ:
        return read_it(thread, rank == SM_RANK_WOULD_WAIT);
    case SM_LOCAL_WRITE:
        return store(thread);
    case SM_LOCAL_RMW:
    case SM_LOCAL_OPERATE:
        return read_to_write(thread);
    case SM_LOCAL_RELEASE:
        return release(thread);
    case SM_LOCAL_FENCE:
        return other(thread, SM_NODE_FENCE);
    case SM_LOCAL_SPAWN:
        return spawn(thread);
    case SM_LOCAL_JOIN:
        return join(thread);
    case SM_LOCAL_WAKE:
        return wake(thread);
    case SM_LOCAL_ARRIVE:
        return arrive(thread);
    case SM_LOCAL_DEPART:
        return depart(thread);
    case SM_LOCAL_END:
        return other(thread, SM_NODE_END);
    case SM_LOCAL_CHOICE:
        return choose(thread);
    case SM_LOCAL_IDLE:
        return wait_in_loop(thread);
    case SM_LOCAL_FAIL:
    case SM_LOCAL_ASSUME:
        return fail(thread);
    case SM_LOCAL_EXIT:
        return leave(thread);
    default:
        return RUN;
    }
}

static bool is_at_bound(uint32_t thread)
{
    return sm_tree_graph()->length[thread] >= sm_option(bound);
}

/* Where nobody has woken it yet, or not all have arrived, it waits there. */
static bool is_at_once(uint32_t thread)
{
    return (sm_local_at(walk.at[thread])->flags & SM_LOCAL_AT_ONCE) &&
           rank_of(sm_tree_graph(), thread) != SM_RANK_WAITS;
}

static enum step advance(uint32_t thread, enum sm_rank rank)
{
    enum step step;
    do {
        step = is_at_bound(thread) ? RUN : go(thread, rank);
        walk.gives_last = false;
    } while (step == GO_ON && is_at_once(thread));
    return step;
}

/* ---- how it ends ---- */

static bool waits_for_ever(void)
{
    const struct sm_graph *graph = sm_tree_graph();
    return sm_await_for_ever(graph) && !sm_order_is_inside(graph) &&
           (!walk.blocked || sm_objects_for_ever(graph));
}

static enum sm_walk_end end(bool exits)
{
    const struct sm_local *failed = sm_local_at(walk.failed);
    if (walk.impossible)
        return SM_WALK_PRUNED;
    if (walk.n_failed > 1)
        return SM_WALK_RUN;
    if (walk.n_failed && failed->kind == SM_LOCAL_ASSUME)
        return SM_WALK_BLOCKED;
    if (walk.n_failed)
        return sm_explore_was_shown(failed->value) ? SM_WALK_FAILED : SM_WALK_RUN;
    if (!waits_for_ever())
        return SM_WALK_BLOCKED;
    return exits ? SM_WALK_EXIT : SM_WALK_RUN; /* a deadlock is to be shown */
}

static bool is_due(void)
{
    return sm_control->executions % ONE_IN == ONE_IN - 1;
}

enum sm_walk_end sm_walk(void)
{
    struct sm_graph *graph = sm_tree_graph();
    if (!sm_learn_on() || graph->forest != sm_learn_forest())
        return SM_WALK_RUN;
    sm_await_forget();
    enum step step = place_all(graph);
    while (step == GO_ON) {
        enum sm_rank rank;
        uint32_t thread = pick(graph, &rank);
        if (thread == SM_NO_NODE)
            return end(false);
        walk.gives_last = rank == SM_RANK_GIVES && others_come_behind(graph, thread);
        step = advance(thread, rank);
    }
    if (step == PRUNE)
        return SM_WALK_PRUNED;
    return step == RUN || is_due() ? SM_WALK_RUN : end(true);
}
