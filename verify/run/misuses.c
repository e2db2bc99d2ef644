#include "verify/run/misuses.h"

#include "base/sys.h"
#include "core/objects/objects.h"
#include "runtime/control.h"
#include "runtime/sync/misuse.h"
#include "runtime/thread.h"
#include "verify/exploration.h"
#include "verify/graph/preempt.h"

static const struct sm_misuses none = {SM_NO_NODE, SM_NO_NODE};

static uint32_t successor_of(const struct sm_graph *graph, uint32_t stamp)
{
    for (uint32_t e = stamp + 1; e < graph->n; e++)
        if (graph->nodes[e].pred == stamp && graph->nodes[e].thread == graph->nodes[stamp].thread)
            return e;
    return SM_NO_NODE;
}

/* ---- conditions ---- */

static bool begins_wait(const struct sm_node *node)
{
    return node->kind == SM_NODE_WRITE && (node->flags & SM_NODE_LOCK) &&
           node->op == SM_DO_COND_ENTER;
}

/* The location of the mutex that is unlocked when the wait has begun; UINT16_MAX: the unlock is not
   an event, or is still to come. */
static uint16_t mutex_of(const struct sm_graph *graph, uint32_t enter)
{
    uint32_t e = successor_of(graph, enter);
    const struct sm_node *node = e == SM_NO_NODE ? NULL : &graph->nodes[e];
    bool unlocks = node && node->kind == SM_NODE_WRITE && (node->flags & SM_NODE_LOCK);
    return unlocks ? node->loc : UINT16_MAX;
}

static uint32_t last_wait_of(const struct sm_graph *graph, uint32_t thread, uint32_t before)
{
    uint32_t w = graph->nodes[before].mo_prev;
    while (w != SM_NO_NODE && (graph->nodes[w].thread != thread || !begins_wait(&graph->nodes[w])))
        w = graph->nodes[w].mo_prev;
    return w;
}

/* A wait of another thread, with another mutex, that has not ended when this one begins. */
static uint32_t other_wait(const struct sm_graph *graph, uint32_t enter)
{
    const struct sm_node *node = &graph->nodes[enter];
    uint32_t others = sm_cond_waiting(node->value) & ~(1u << node->thread);
    for (; others; others &= others - 1) {
        uint32_t other = last_wait_of(graph, (uint32_t)__builtin_ctz(others), enter);
        uint16_t own = mutex_of(graph, enter);
        uint16_t its = other == SM_NO_NODE ? UINT16_MAX : mutex_of(graph, other);
        if (own != UINT16_MAX && its != UINT16_MAX && own != its)
            return other;
    }
    return SM_NO_NODE;
}

void sm_misuses_wait(const struct sm_event *event, uint64_t state)
{
    uint32_t others = sm_cond_waiting(state) & ~(1u << event->thread->id);
    for (; others; others &= others - 1) {
        const struct sm_thread *other = sm_thread_by_id((uint32_t)__builtin_ctz(others));
        if (other && other->wait_mutex && other->wait_mutex != event->thread->wait_mutex)
            sm_misused_by_waiting(event->addr, other);
    }
}

/* ---- barriers ---- */

/* Its round has more than one thread, so it must wait. */
static bool waits(const struct sm_graph *graph, uint32_t arrival)
{
    const struct sm_node *own = &graph->nodes[arrival];
    for (uint32_t e = graph->locs[own->loc].newest; e != SM_NO_NODE; e = graph->nodes[e].older)
        if (e != arrival && graph->nodes[e].kind == SM_NODE_ARRIVE &&
            graph->nodes[e].value == own->value)
            return true;
    return graph->last[own->thread] == arrival;
}

static bool is_unordered(const struct sm_graph *graph, uint32_t a, uint32_t b)
{
    return !sm_vector_has(sm_graph_porf(graph, a), &graph->nodes[b]) &&
           !sm_vector_has(sm_graph_porf(graph, b), &graph->nodes[a]);
}

static uint32_t unordered_arrival(const struct sm_graph *graph, uint32_t renewal)
{
    uint32_t e = graph->locs[graph->nodes[renewal].loc].newest;
    while (e != SM_NO_NODE && !(graph->nodes[e].kind == SM_NODE_ARRIVE &&
                                is_unordered(graph, e, renewal) && waits(graph, e)))
        e = graph->nodes[e].older;
    return e;
}

enum sm_rank sm_misuses_rank(void)
{
    return sm_preempt_on() ? SM_RANK_ENABLED : SM_RANK_WOULD_BLOCK;
}

/* ---- both ---- */

static struct sm_misuses misuse_at(const struct sm_graph *graph, uint32_t e)
{
    const struct sm_node *node = &graph->nodes[e];
    uint32_t first = SM_NO_NODE;
    if (begins_wait(node))
        first = other_wait(graph, e);
    else if (node->kind == SM_NODE_RENEW)
        first = unordered_arrival(graph, e);
    return first == SM_NO_NODE ? none : (struct sm_misuses){first, e};
}

struct sm_misuses sm_misuses_find(const struct sm_graph *graph)
{
    struct sm_misuses found = none;
    for (uint32_t e = 0; e < graph->n && found.second == SM_NO_NODE; e++)
        found = misuse_at(graph, e);
    return found;
}

bool sm_misuses_has(const struct sm_graph *graph)
{
    return sm_misuses_find(graph).second != SM_NO_NODE;
}

void sm_misuses_judge(void)
{
    const struct sm_graph *graph = sm_graph_now();
    struct sm_misuses found = sm_misuses_find(graph);
    if (found.second == SM_NO_NODE)
        return;
    const struct sm_node *node = &graph->nodes[found.second];
    bool barrier = node->kind == SM_NODE_RENEW;
    sm_control->end = SM_END_HARM;
    sm_control->status = barrier ? SM_FAILURE_BARRIER_MISUSE : SM_FAILURE_COND_MISUSE;
    sm_control->end_thread = node->thread;
    sm_control->end_site = node->site;
    sm_format(sm_control->detail, sizeof sm_control->detail, "%s",
              barrier ? "a barrier" : "a condition");
}
