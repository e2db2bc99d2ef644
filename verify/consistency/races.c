#include "verify/consistency/races.h"

#include "base/sys.h"
#include "core/conflict.h"
#include "runtime/control.h"
#include "verify/pool.h"

static struct found_races {
    struct sm_race races[SM_MAX_RACES];
    uint32_t n, lost;
} *found;

void sm_races_start(void)
{
    if (!found)
        found = sm_map(NULL, sizeof *found);
    found->n = found->lost = 0;
}

static unsigned access_kind(const struct sm_node *node)
{
    return (node->kind == SM_NODE_WRITE ? SM_ACCESS_WRITE : 0u) |
           (sm_node_is_plain(node) ? 0u : SM_ACCESS_ATOMIC);
}

static bool is_race(const struct sm_graph *graph, uint32_t first, uint32_t second)
{
    const struct sm_node *a = &graph->nodes[first], *b = &graph->nodes[second];
    return a->thread != b->thread && sm_conflicts(access_kind(a), access_kind(b)) &&
           !sm_vector_has(&graph->clocks[first].hb, b) &&
           !sm_vector_has(&graph->clocks[second].hb, a);
}

static struct sm_race_access access_of(const struct sm_node *node)
{
    bool plain = sm_node_is_plain(node), write = node->kind == SM_NODE_WRITE;
    uint8_t kind = plain ? (write ? SM_EV_STORE : SM_EV_LOAD)
                         : (write ? SM_EV_ATOMIC_STORE : SM_EV_ATOMIC_LOAD);
    if (node->flags & (SM_NODE_RMW | SM_NODE_EXCLUSIVE))
        kind = SM_EV_RMW;
    return (struct sm_race_access){.kind = kind,
                                   .order = node->order,
                                   .thread = node->thread,
                                   .site = node->site,
                                   .value = node->value};
}

static void report(const struct sm_node *a, const struct sm_node *b)
{
    for (uint32_t i = 0; i < found->n; i++) {
        struct sm_race *race = &found->races[i];
        if ((race->first.site == a->site && race->second.site == b->site) ||
            (race->first.site == b->site && race->second.site == a->site)) {
            race->count++;
            return;
        }
    }
    if (found->n == SM_MAX_RACES) {
        found->lost++;
        return;
    }
    found->races[found->n++] =
        (struct sm_race){.count = 1, .first = access_of(a), .second = access_of(b)};
}

/* Objects and most atomics have none: to compare no pair of theirs takes 4% off lockinc. */
static bool has_plain(const struct sm_graph *graph, uint32_t loc)
{
    uint32_t e = graph->locs[loc].newest;
    while (e != SM_NO_NODE && !sm_node_is_plain(&graph->nodes[e]))
        e = graph->nodes[e].older;
    return e != SM_NO_NODE;
}

static void look_at(const struct sm_graph *graph, uint32_t loc)
{
    for (uint32_t a = graph->locs[loc].newest; a != SM_NO_NODE; a = graph->nodes[a].older)
        for (uint32_t b = graph->nodes[a].older; b != SM_NO_NODE; b = graph->nodes[b].older)
            if (is_race(graph, a, b))
                report(&graph->nodes[b], &graph->nodes[a]);
}

void sm_races_look(const struct sm_graph *graph)
{
    for (uint32_t l = 0; graph->n_plain && l < graph->n_locs; l++)
        if (has_plain(graph, l))
            look_at(graph, l);
}

void sm_races_publish(void)
{
    for (uint32_t i = 0; i < found->n; i++)
        sm_control->races[i] = found->races[i];
    sm_control->n_races = found->n;
    sm_control->races_lost = found->lost;
}
