#include "verify/graph/objects.h"

#include "verify/graph/graph.h"
#include "verify/graph/rank.h"

/* ---- nodes ---- */

void sm_object_read(struct sm_node *node, enum sm_object_op op, uint64_t arg)
{
    node->flags = SM_NODE_EXCLUSIVE | SM_NODE_LOCK;
    node->op = (uint8_t)op;
    node->expected = arg;
    node->order = node->order_done = sm_object_rules[op].order;
    node->order_fail = SM_ORDER_RELAXED;
}

void sm_object_release(struct sm_node *node, int flags)
{
    node->order = SM_ORDER_RELEASE;
    node->flags = SM_NODE_LOCK | (flags == SM_LOCAL_AT_ONCE ? SM_NODE_JOINED : 0);
}

uint64_t sm_object_answer(enum sm_object_op op, enum sm_step step, uint64_t state)
{
    return op == SM_DO_SEM_VALUE || op == SM_DO_COND_LEAVE_TIMED ? state : (uint64_t)step;
}

uint32_t sm_object_waker(const struct sm_graph *graph, uint16_t loc, uint32_t thread)
{
    uint32_t found = SM_NO_NODE;
    for (uint32_t w = graph->locs[loc].mo_last;
         w != SM_NO_NODE && sm_cond_is_woken(graph->nodes[w].value, thread);
         w = graph->nodes[w].mo_prev)
        found = w;
    return found;
}

/* ---- blocked threads ---- */

/* The read waits for a writer that has not got the whole lock yet, but itself waits for readers. */
static bool waits_for_writer(const struct sm_node *read, const struct sm_node *holder)
{
    return read->op == SM_DO_SHARE && read->loc != read->expected && holder->op == SM_DO_SHARE &&
           holder->expected == read->expected && holder->loc != read->loc;
}

/* It waits for a mutex that another thread has taken in a call of std::lock, in which that thread
   waits for another one: together.h. */
static bool waits_for_together(const struct sm_graph *graph, const struct sm_node *read,
                               const struct sm_node *holder)
{
    return read->op == SM_DO_LOCK && holder->op == SM_DO_LOCK && holder->expected &&
           graph->nodes[read->rf].index + 1u >= holder->expected;
}

/* Its holder would not hold it while it waits itself. */
static bool waits_for_who_waits(const struct sm_graph *graph, const struct sm_node *read)
{
    if (read->rf == SM_NO_NODE)
        return false;
    const struct sm_node *holder = &graph->nodes[graph->last[graph->nodes[read->rf].thread]];
    return (holder->flags & SM_NODE_BLOCKED) &&
           (waits_for_writer(read, holder) || waits_for_together(graph, read, holder));
}

bool sm_objects_stay_blocked(const struct sm_graph *graph)
{
    for (uint32_t e = 0; e < graph->n; e++) {
        const struct sm_node *node = &graph->nodes[e];
        if ((node->flags & SM_NODE_BLOCKED) &&
            (sm_graph_next(graph, node->loc, node->rf) != SM_NO_NODE ||
             waits_for_who_waits(graph, node)))
            return false;
    }
    return true;
}

/* The thread could still do its operation in place of one that was done: its write then revisits
   the read of that one, if all later events may be deleted. The write that a blocked thread's older
   read reads from may not be deleted (is_maximal in revisit.c): so the revisited read must be added
   later, and must not be in the prefix. */
bool sm_object_follows_release(const struct sm_graph *graph, uint32_t thread,
                               const struct sm_local *waits, uint16_t released)
{
    enum sm_object_op op = (enum sm_object_op)waits->op;
    uint32_t seen = graph->locs[released].mo_last, last = graph->last[thread];
    const struct sm_node *kept = &graph->nodes[seen];
    if (waits->loc == released)
        return true;
    if (!sm_object_excludes(op) || seen == SM_NO_NODE || last == SM_NO_NODE ||
        sm_vector_has(sm_graph_porf(graph, last), kept))
        return false;
    for (uint32_t e = graph->locs[waits->loc].newest; e != SM_NO_NODE; e = graph->nodes[e].older) {
        const struct sm_node *node = &graph->nodes[e];
        uint64_t unused;
        bool revisited = node->kind == SM_NODE_READ &&
                         !sm_vector_has(sm_graph_porf(graph, last), node) && e > seen;
        bool needs_it = node->kind == SM_NODE_WRITE &&
                        sm_vector_has(sm_graph_porf(graph, e), kept) &&
                        sm_object_step(op, node->value, waits->value, &unused) != SM_STEP_WAITS;
        if (revisited || needs_it)
            return false;
    }
    return true;
}

enum sm_rank sm_rank_of_operation(const struct sm_graph *graph, const struct sm_local *event,
                                  uint64_t state, bool any_blocked)
{
    enum sm_object_op op = (enum sm_object_op)event->op;
    uint64_t unused;
    if (event->kind == SM_LOCAL_OPERATE && !(event->flags & SM_LOCAL_TRY) &&
        sm_object_step(op, state, event->value, &unused) == SM_STEP_WAITS)
        return SM_RANK_WOULD_BLOCK;
    return any_blocked && sm_object_gives(op) && sm_graph_is_awaited(graph, event->loc)
               ? SM_RANK_RELEASES
               : SM_RANK_ENABLED;
}

/* ---- elections ---- */

uint32_t sm_ballot_elected(struct sm_ballot ballot, uint32_t pick)
{
    for (uint32_t i = 0; i < 8 * sizeof ballot.set && (pick || !ballot.none); i++)
        if ((ballot.set >> i & 1) && pick-- == ballot.none)
            return i + 1;
    return 0;
}
