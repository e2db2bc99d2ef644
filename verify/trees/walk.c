#include "verify/trees/walk.h"

#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "verify/exploration.h"
#include "verify/explore.h"
#include "verify/graph/graph.h"
#include "verify/graph/objects.h"
#include "verify/graph/order.h"
#include "verify/graph/preempt.h"
#include "verify/graph/rank.h"
#include "verify/loops/await.h"
#include "verify/loops/undone.h"
#include "verify/run/frees.h"
#include "verify/run/misuses.h"
#include "verify/run/share.h"
#include "verify/trees/learn.h"
#include "verify/trees/local.h"

/* State of this execution. */
static struct walk {
    uint32_t at[SM_GRAPH_THREADS]; /* its next event; 0: none */
    uint32_t n;                    /* threads, with numbers below n */
    uint32_t first;                /* threads from 1 to below it have no next event */
    uint32_t failed;               /* FAIL node of the last thread that stopped so */
    uint32_t n_failed, n_assumed;  /* threads that stopped at a failure, at an assumption */
    uint32_t outcome;
    bool frees; /* some graph has a free */
    struct sm_stepper *stepper;
    struct sm_graph *graph;
} walk;

enum step { GO_ON, NEEDS_RUN, PRUNE, EXIT };

/* One execution in so many is run even if the trees predict it. */
enum { CHECKED_ONE_IN = 1024 };

uint32_t sm_walk_outcome(void)
{
    return walk.outcome;
}

/* ---- where the threads are ---- */

static bool is_waiting(const struct sm_local *event, enum sm_step step)
{
    return step == SM_STEP_WAITS && !(event->flags & SM_LOCAL_TRY);
}

/* Result of a read-modify-write, or of an operation on an object. */
static enum sm_step step_of(const struct sm_local *event, uint64_t read, uint64_t *written)
{
    if (event->kind == SM_LOCAL_OPERATE)
        return sm_object_step((enum sm_object_op)event->op, read, event->value, written);
    return sm_local_apply(event, read, written) ? SM_STEP_TAKES : SM_STEP_FAILS;
}

/* The serial thread, from 1, if this arrival, or the choice before it, determines it. */
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

/* The answer that the thread got for this node, and continued with. */
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

/* Its read-modify-write, or its operation, has read, and is blocked or has yet to write. */
static bool is_unfinished(const struct sm_node *node, const struct sm_local *event)
{
    uint64_t unused;
    if (!(node->flags & SM_NODE_EXCLUSIVE))
        return false;
    enum sm_step step = step_of(event, node->value, &unused);
    return step == SM_STEP_TAKES || is_waiting(event, step);
}

/* The event of the thread's last node is done. */
static void go_on(uint32_t thread, uint64_t answer)
{
    struct sm_graph *graph = walk.graph;
    walk.at[thread] = sm_local_child(walk.at[thread], answer);
    graph->nodes[graph->last[thread]].after = walk.at[thread];
}

static enum step settle(const struct sm_new_event *new, enum sm_step_end end)
{
    if (end == SM_STEP_PRUNED)
        return PRUNE;
    if (walk.frees && sm_frees_is_read(walk.graph, new->stamp))
        return NEEDS_RUN;
    if (end == SM_STEP_BLOCKED)
        walk.at[new->thread] = 0;
    else
        go_on(new->thread, new->answer);
    return GO_ON;
}

static enum step finish(uint32_t thread, uint32_t read, const struct sm_local *event)
{
    uint32_t local = walk.graph->nodes[read].local;
    struct sm_new_event new = {.thread = thread, .local = local, .event = event, .stamp = read};
    walk.at[thread] = local;
    return settle(&new, sm_graph_step_finish(walk.stepper, &new));
}

static enum step place(struct sm_graph *graph, uint32_t thread)
{
    uint32_t last = graph->last[thread];
    struct sm_node *node = &graph->nodes[last];
    walk.at[thread] = 0;
    if (!node->local)
        return NEEDS_RUN;
    if (node->kind == SM_NODE_END)
        return GO_ON;
    if (node->thread != thread) { /* its creation */
        walk.at[thread] = sm_local_child(node->local, SM_LOCAL_BORN);
        return GO_ON;
    }
    const struct sm_local *event = sm_local_at(node->local);
    if (!node->after && is_unfinished(node, event))
        return finish(thread, last, event);
    if (!node->after)
        node->after = sm_local_child(node->local, answer_of(graph, node, event));
    walk.at[thread] = sm_local_resolve(node->after); /* a run may have passed it since */
    return GO_ON;
}

static enum step place_all(struct sm_graph *graph)
{
    walk.n = walk.first = 1;
    walk.n_failed = walk.n_assumed = 0;
    walk.stepper->blocked = walk.stepper->gives_last = walk.stepper->impossible = false;
    for (uint32_t t = 0, most = sm_share_thread_count(); t < most; t++) {
        walk.at[t] = t ? 0 : sm_local_root();
        if (sm_graph_last(graph, t) == SM_NO_NODE)
            continue;
        enum step step = place(graph, t);
        if (step != GO_ON)
            return step;
        walk.n = t + 1;
    }
    return GO_ON;
}

/* ---- ranks ---- */

static bool is_used(const struct sm_graph *graph, uint16_t loc)
{
    return loc < graph->n_locs && graph->locs[loc].newest != SM_NO_NODE;
}

static uint64_t newest_value(const struct sm_graph *graph, uint16_t loc)
{
    return is_used(graph, loc) ? sm_graph_value(graph, loc, graph->locs[loc].mo_last)
                               : sm_learned_initial(loc);
}

/* A read that is probed first (probe.h), and after which the thread would be back there. */
static bool is_futile(const struct sm_graph *graph, uint32_t thread, uint32_t read)
{
    const struct sm_local *event = sm_local_at(read);
    uint32_t next = sm_local_find(read, newest_value(graph, event->loc));
    const struct sm_local *then = sm_local_at(next);
    return next && then->kind == SM_LOCAL_IDLE && !(then->flags & SM_LOCAL_RETRIES) &&
           then->value == graph->length[thread];
}

static enum sm_rank rank_of_join(const struct sm_graph *graph, uint64_t thread)
{
    uint32_t last = sm_graph_last(graph, (uint32_t)thread);
    const struct sm_node *node = &graph->nodes[last];
    bool ended = last != SM_NO_NODE && node->kind == SM_NODE_END && node->thread == thread;
    return ended ? SM_RANK_ENABLED : SM_RANK_BLOCKED;
}

static enum sm_rank rank_of_departure(const struct sm_graph *graph, const struct sm_local *event)
{
    const struct sm_node departure = {.value = event->value};
    uint64_t arrived = 0;
    for (uint32_t e = graph->locs[event->loc].newest; e != SM_NO_NODE; e = graph->nodes[e].older)
        arrived += sm_node_departs_after(&departure, &graph->nodes[e]);
    return arrived < event->old ? SM_RANK_BLOCKED : SM_RANK_ENABLED;
}

static __attribute__((noinline)) enum sm_rank
rank_of_other(const struct sm_graph *graph, uint32_t thread, const struct sm_local *event)
{
    switch (event->kind) {
    case SM_LOCAL_OPERATE:
    case SM_LOCAL_RELEASE:
        return sm_rank_of_operation(graph, event, newest_value(graph, event->loc),
                                    walk.stepper->blocked);
    case SM_LOCAL_READ:
        return is_futile(graph, thread, walk.at[thread]) ? SM_RANK_WOULD_BLOCK : SM_RANK_ENABLED;
    case SM_LOCAL_WAKE:
        return sm_object_waker(graph, event->loc, thread) == SM_NO_NODE ? SM_RANK_BLOCKED
                                                                        : SM_RANK_ENABLED;
    case SM_LOCAL_DEPART:
        return rank_of_departure(graph, event);
    case SM_LOCAL_RENEW:
        return sm_misuses_rank();
    default:
        return SM_RANK_ENABLED;
    }
}

/* Kinds of event whose rank depends on the graph, besides joins, and reads that are probed. */
static const uint32_t depending = 1u << SM_LOCAL_OPERATE | 1u << SM_LOCAL_RELEASE |
                                  1u << SM_LOCAL_WAKE | 1u << SM_LOCAL_DEPART |
                                  1u << SM_LOCAL_RENEW;

/* Asked of threads for each event: most are decided here. */
static inline enum sm_rank rank_of(const struct sm_graph *graph, uint32_t thread)
{
    const struct sm_local *event = sm_local_at(walk.at[thread]);
    if (event->kind == SM_LOCAL_JOIN)
        return rank_of_join(graph, event->value);
    if (event->kind == SM_LOCAL_EXIT)
        return SM_RANK_EXITS;
    bool depends = event->kind == SM_LOCAL_READ ? event->flags & SM_LOCAL_PROBES
                                                : depending >> event->kind & 1;
    return depends ? rank_of_other(graph, thread, event) : SM_RANK_ENABLED;
}

/* Threads that have ended, or stay blocked, have node 0. They are left out from thread 1 on: with
   20 threads, of which most have ended, the search for the next one was a sixth of a walk. */
static uint32_t pick(const struct sm_graph *graph, enum sm_rank *rank)
{
    uint32_t best = SM_NO_NODE;
    *rank = SM_RANK_BLOCKED;
    while (walk.first < walk.n && !walk.at[walk.first])
        walk.first++;
    for (uint32_t t = 0; t < walk.n; t = t ? t + 1 : walk.first) {
        enum sm_rank own = walk.at[t] ? rank_of(graph, t) : SM_RANK_BLOCKED;
        if (own >= *rank)
            continue;
        best = t;
        *rank = own;
        if (own == SM_RANK_ENABLED)
            break;
    }
    return best;
}

static uint32_t pick_within_bound(const struct sm_graph *graph, enum sm_rank *rank)
{
    struct sm_ready ready = {.n = sm_share_thread_count()};
    for (uint32_t t = 0; t < ready.n; t++) {
        bool is_there = t < walk.n && walk.at[t];
        sm_ready_set(&ready, t, is_there ? rank_of(graph, t) : SM_RANK_BLOCKED,
                     is_there ? sm_local_at(walk.at[t]) : NULL);
    }
    uint32_t next = sm_preempt_next(&ready);
    *rank = next < SM_GRAPH_THREADS ? (enum sm_rank)ready.rank[next] : SM_RANK_BLOCKED;
    return next;
}

/* See objects.h. */
static bool others_follow_release(const struct sm_graph *graph, uint32_t thread)
{
    uint16_t released = sm_local_at(walk.at[thread])->loc;
    for (uint32_t t = 0; t < walk.n; t++) {
        if (t == thread || !walk.at[t])
            continue;
        const struct sm_local *event = sm_local_at(walk.at[t]);
        enum sm_rank rank = rank_of(graph, t);
        bool follows = rank == SM_RANK_WOULD_BLOCK && event->kind == SM_LOCAL_OPERATE &&
                       sm_object_follows_release(graph, t, event, released);
        if (rank < SM_RANK_EXITS && !follows)
            return false;
    }
    return true;
}

/* ---- events ---- */

static void touch(uint16_t loc)
{
    struct sm_graph *graph = walk.graph;
    if (!is_used(graph, loc))
        sm_graph_touch(graph, loc, sm_learned_initial(loc));
}

static struct sm_new_event next_event(uint32_t thread)
{
    return (struct sm_new_event){
        .thread = thread, .local = walk.at[thread], .event = sm_local_at(walk.at[thread])};
}

static enum step add(uint32_t thread)
{
    struct sm_new_event new = next_event(thread);
    return settle(&new, sm_graph_step(walk.stepper, &new));
}

static enum step access(uint32_t thread)
{
    touch(sm_local_at(walk.at[thread])->loc);
    return add(thread);
}

static enum step read_it(uint32_t thread, bool futile)
{
    struct sm_new_event new = next_event(thread);
    const struct sm_graph *graph = walk.graph;
    bool probes = new.event->flags & SM_LOCAL_PROBES;
    uint16_t index = graph->length[thread];
    if (probes && !sm_local_find(new.local, newest_value(graph, new.event->loc)))
        return NEEDS_RUN;
    touch(new.event->loc);
    new.state = probes && !futile ? new.event->old : 0;
    enum sm_step_end end = sm_graph_step(walk.stepper, &new);
    if (!futile)
        return settle(&new, end);
    sm_await_stop(thread, index); /* no other thread is enabled: it stays blocked */
    walk.at[thread] = 0;
    return GO_ON;
}

/* Initialising an object before its first use needs no event. */
static enum step release(uint32_t thread)
{
    const struct sm_local *event = sm_local_at(walk.at[thread]);
    if (is_used(walk.graph, event->loc) || !(event->flags & SM_LOCAL_ANEW))
        return access(thread);
    go_on(thread, 0);
    return GO_ON;
}

static enum step spawn(uint32_t thread)
{
    uint32_t local = walk.at[thread], child = (uint32_t)sm_local_at(local)->value;
    walk.at[child] = sm_local_child(local, SM_LOCAL_BORN);
    if (walk.n <= child)
        walk.n = child + 1;
    if (walk.first > child)
        walk.first = child;
    return add(thread);
}

static enum step join(uint32_t thread)
{
    struct sm_new_event new = next_event(thread);
    const struct sm_graph *graph = walk.graph;
    uint32_t end = graph->nodes[graph->last[new.event->value]].local;
    if (!end)
        return NEEDS_RUN;
    sm_graph_step(walk.stepper, &new);
    go_on(thread, sm_learn_left_by(end));
    return GO_ON;
}

static enum step depart(uint32_t thread)
{
    struct sm_new_event new = next_event(thread);
    const struct sm_graph *graph = walk.graph;
    sm_graph_step(walk.stepper, &new);
    go_on(thread, is_serial(graph, &graph->nodes[new.stamp]));
    return GO_ON;
}

static enum step end_thread(uint32_t thread)
{
    struct sm_new_event new = next_event(thread);
    sm_graph_step(walk.stepper, &new);
    walk.at[thread] = 0;
    return GO_ON;
}

/* See wait_if_idle in run/accesses.c. */
static enum step wait_in_loop(uint32_t thread)
{
    const struct sm_local *event = sm_local_at(walk.at[thread]);
    if ((event->flags & SM_LOCAL_UNDOES) &&
        !sm_undone_holds(walk.graph, thread, (uint16_t)event->value, SM_GRAPH_LENGTH)) {
        go_on(thread, SM_LOCAL_WENT_ON);
        return GO_ON;
    }
    sm_await_waited(thread, (uint16_t)event->value, event->old);
    if (sm_await_is_futile(walk.graph, thread)) {
        sm_control->explored.blocked++;
        return PRUNE;
    }
    sm_await_stopped(thread, event->flags & SM_LOCAL_RETRIES);
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

static enum step assume(uint32_t thread)
{
    walk.n_assumed++;
    walk.at[thread] = 0;
    return GO_ON;
}

static enum step leave(uint32_t thread)
{
    const struct sm_local *event = sm_local_at(walk.at[thread]);
    walk.outcome = (uint32_t)event->old;
    bool expected = event->value == (uint32_t)sm_option(expect_exit);
    return walk.n_failed || walk.n_assumed || (expected && walk.outcome) ? EXIT : NEEDS_RUN;
}

static enum step go(uint32_t thread, enum sm_rank rank)
{
    switch (sm_local_at(walk.at[thread])->kind) {
    case SM_LOCAL_READ:
        return read_it(thread, rank == SM_RANK_WOULD_BLOCK);
    case SM_LOCAL_WRITE:
    case SM_LOCAL_RMW:
    case SM_LOCAL_OPERATE:
    case SM_LOCAL_ARRIVE:
    case SM_LOCAL_RENEW:
        return access(thread);
    case SM_LOCAL_RELEASE:
        return release(thread);
    case SM_LOCAL_FENCE:
    case SM_LOCAL_WAKE:
    case SM_LOCAL_CHOICE:
        return add(thread);
    case SM_LOCAL_SPAWN:
        return spawn(thread);
    case SM_LOCAL_JOIN:
        return join(thread);
    case SM_LOCAL_DEPART:
        return depart(thread);
    case SM_LOCAL_END:
        return end_thread(thread);
    case SM_LOCAL_IDLE:
        return wait_in_loop(thread);
    case SM_LOCAL_FAIL:
        return fail(thread);
    case SM_LOCAL_ASSUME:
        return assume(thread);
    case SM_LOCAL_EXIT:
        return leave(thread);
    default:
        return NEEDS_RUN;
    }
}

static bool is_at_bound(uint32_t thread)
{
    return walk.graph->length[thread] >= sm_option(bound);
}

/* If it was not woken yet, or not all have arrived, it waits there. With preemption bounds
   (preempt.h) others may run first, unless it is one step with the previous event. */
static bool is_at_once(uint32_t thread)
{
    const struct sm_local *event = sm_local_at(walk.at[thread]);
    bool joined = event->kind == SM_LOCAL_RELEASE && event->flags == SM_LOCAL_AT_ONCE;
    return (event->flags & SM_LOCAL_AT_ONCE) && (joined || !sm_preempt_on()) &&
           rank_of(walk.graph, thread) != SM_RANK_BLOCKED;
}

static enum step advance(uint32_t thread, enum sm_rank rank)
{
    enum step step;
    do {
        step = is_at_bound(thread) ? NEEDS_RUN : go(thread, rank);
    } while (step == GO_ON && is_at_once(thread));
    return step;
}

/* ---- how it ends ---- */

static bool stays_blocked(void)
{
    const struct sm_graph *graph = walk.graph;
    return sm_await_stays_blocked(graph) && !sm_order_is_inside(graph) &&
           (!walk.stepper->blocked || sm_objects_stay_blocked(graph));
}

static enum sm_walk_end end(bool exits)
{
    const struct sm_local *failed = sm_local_at(walk.failed);
    if (walk.stepper->impossible)
        return SM_WALK_PRUNED;
    if (walk.n_failed > 1 || (walk.n_failed && walk.n_assumed) ||
        (walk.frees && sm_frees_has_error(walk.graph)) ||
        (sm_exploration->misuses && sm_misuses_has(walk.graph)))
        return SM_WALK_RUN;
    if (walk.n_assumed)
        return SM_WALK_BLOCKED;
    if (walk.n_failed)
        return sm_explore_was_shown(failed->value) ? SM_WALK_FAILED : SM_WALK_RUN;
    if (!stays_blocked())
        return SM_WALK_BLOCKED;
    return exits ? SM_WALK_EXIT : SM_WALK_RUN; /* a deadlock must be shown */
}

static bool is_due(void)
{
    return sm_control->executions % CHECKED_ONE_IN == CHECKED_ONE_IN - 1;
}

enum sm_walk_end sm_walk(void)
{
    struct sm_graph *graph = sm_graph_now();
    walk.stepper = &sm_exploration->walks;
    walk.graph = graph;
    walk.frees = sm_exploration->frees;
    if (!sm_learn_on() || graph->forest != sm_learn_forest())
        return SM_WALK_RUN;
    sm_await_forget();
    bool bounded = sm_preempt_on();
    enum step step = place_all(graph);
    while (step == GO_ON) {
        enum sm_rank rank;
        uint32_t thread = bounded ? pick_within_bound(graph, &rank) : pick(graph, &rank);
        if (thread == SM_NO_NODE)
            return end(false);
        if (thread == SM_NO_TURN)
            return SM_WALK_PRUNED;
        walk.stepper->gives_last = rank == SM_RANK_RELEASES && others_follow_release(graph, thread);
        step = advance(thread, rank);
    }
    if (step == PRUNE)
        return SM_WALK_PRUNED;
    return step == NEEDS_RUN || is_due() ? SM_WALK_RUN : end(true);
}
