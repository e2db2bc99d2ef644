#include "verify/consistency/races.h"

#include "base/sys.h"
#include "core/conflict.h"
#include "runtime/control.h"
#include "runtime/sched/sched.h"
#include "runtime/stack.h"
#include "verify/pool.h"
#include "verify/run/frees.h"
#include "verify/run/spurious.h"

static struct found_races {
    struct sm_race races[SM_MAX_RACES];
    struct {
        uint32_t first, second;
    } numbers[SM_MAX_RACES]; /* of the accesses in the execution that is run again */
    uint32_t n, lost;
    uint32_t met; /* the first so many have their stacks */
} *found;

void sm_races_start(void)
{
    if (!found)
        found = sm_map(NULL, sizeof *found);
    found->n = found->lost = found->met = 0;
}

static unsigned access_kind(const struct sm_node *node)
{
    return (node->kind == SM_NODE_WRITE ? SM_ACCESS_WRITE : 0u) |
           (sm_node_is_plain(node) ? 0u : SM_ACCESS_ATOMIC);
}

static bool is_race(const struct sm_graph *graph, uint32_t first, uint32_t second)
{
    const struct sm_node *a = &graph->nodes[first], *b = &graph->nodes[second];
    if (sm_frees_is_return(a) || sm_frees_is_return(b))
        return false; /* of frees.h, if of anything */
    return a->thread != b->thread && sm_conflicts(access_kind(a), access_kind(b)) &&
           !sm_vector_has(sm_graph_hb(graph, first), b) &&
           !sm_vector_has(sm_graph_hb(graph, second), a);
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
                                   .parent = SM_NO_THREAD,
                                   .value = node->value};
}

bool sm_races_again(uint32_t site, uint32_t other)
{
    for (uint32_t i = 0; i < found->n; i++) {
        struct sm_race *race = &found->races[i];
        if ((race->first.site == site && race->second.site == other) ||
            (race->first.site == other && race->second.site == site)) {
            race->count++;
            return true;
        }
    }
    return false;
}

void sm_races_add(const struct sm_race_access *first, uint32_t first_number,
                  const struct sm_race_access *second, uint32_t second_number)
{
    sm_spurious_race(first->site, second->site);
    if (found->n == SM_MAX_RACES) {
        found->lost++;
        return;
    }
    found->numbers[found->n].first = first_number;
    found->numbers[found->n].second = second_number;
    found->races[found->n++] = (struct sm_race){.count = 1, .first = *first, .second = *second};
}

static void report(const struct sm_graph *graph, uint32_t first, uint32_t second)
{
    const struct sm_node *a = &graph->nodes[first], *b = &graph->nodes[second];
    if (sm_races_again(a->site, b->site))
        return;
    struct sm_race_access one = access_of(a), other = access_of(b);
    sm_races_add(&one, first, &other, second);
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
                report(graph, b, a);
}

void sm_races_look(const struct sm_graph *graph)
{
    for (uint32_t l = 0; graph->n_plain && l < graph->n_locs; l++)
        if (has_plain(graph, l))
            look_at(graph, l);
}

bool sm_races_any(void)
{
    return found->n;
}

/* ---- stacks ---- */

bool sm_races_lack_stacks(void)
{
    return found->met < found->n;
}

static void fill(struct sm_race_access *access)
{
    const struct sm_thread *self = sm_running();
    access->parent = self->id ? self->parent : SM_NO_THREAD;
    access->depth =
        sm_stack_walk(self, 0, (uintptr_t)__builtin_frame_address(0), access->stack, SM_RACE_DEPTH);
}

void sm_races_meet(uint32_t number)
{
    for (uint32_t i = found->met; i < found->n; i++) {
        if (found->numbers[i].first == number)
            fill(&found->races[i].first);
        if (found->numbers[i].second == number)
            fill(&found->races[i].second);
    }
}

void sm_races_met(void)
{
    found->met = found->n;
}

void sm_races_publish(void)
{
    for (uint32_t i = 0; i < found->n; i++)
        sm_control->races[i] = found->races[i];
    sm_control->n_races = found->n;
    sm_control->races_lost = found->lost;
}
