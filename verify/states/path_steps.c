#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/sched/sched.h"
#include "verify/consistency/races.h"
#include "verify/explore.h"
#include "verify/pool.h"
#include "verify/run/run.h"
#include "verify/run/share.h"
#include "verify/states/path.h"
#include "verify/states/paths.h"

/* How many events a thread continues after the steps: to learn more is useful, but a loop that
   writes would continue up to the bound each time. */
enum { FURTHER = 100 };

struct sm_path_plan *sm_path_plan;

/* State of this run. */
static uint32_t here[SM_MACHINE_THREADS];
static uint32_t further[SM_MACHINE_THREADS];
static struct trail {
    uint32_t *nodes; /* that the thread has passed */
    uint32_t n, capacity;
} trails[SM_MACHINE_THREADS];
static uint32_t first_left; /* first step not taken yet */
static uint8_t *taken;      /* steps */

void sm_path_steps_start(void)
{
    sm_path_plan = sm_pool_get(sizeof *sm_path_plan);
    *sm_path_plan = (struct sm_path_plan){.want = SM_SEARCH_LEARN};
}

void sm_path_steps_begin(void)
{
    memset(here, 0, sizeof here);
    memset(further, 0, sizeof further);
    memset(trails, 0, sizeof trails);
    here[0] = sm_local_root();
    first_left = 0;
    taken = sm_alloc(sm_path_plan->run.n_steps + 1ul);
}

/* ---- the steps ---- */

static bool is_left(uint32_t step)
{
    return !taken[step];
}

bool sm_path_is_over(void)
{
    while (first_left < sm_path_plan->run.n_steps && !is_left(first_left))
        first_left++;
    return first_left >= sm_path_plan->run.n_steps;
}

/* Index of its next step; n_steps: none. */
static uint32_t next_step(uint32_t thread)
{
    uint32_t i = first_left;
    while (i < sm_path_plan->run.n_steps &&
           !(is_left(i) && sm_path_plan->run.steps[i].thread == thread))
        i++;
    return i;
}

bool sm_path_has_step(uint32_t thread)
{
    return next_step(thread) < sm_path_plan->run.n_steps;
}

static const struct sm_move *take_step(uint32_t thread)
{
    uint32_t step = next_step(thread);
    if (step == sm_path_plan->run.n_steps)
        return NULL;
    taken[step] = 1;
    return &sm_path_plan->run.steps[step];
}

uint32_t sm_paths_thread(void)
{
    const struct sm_search_run *run = &sm_path_plan->run;
    return sm_path_is_over() ? run->thread : run->steps[first_left].thread;
}

/* ---- the trees ---- */

uint32_t sm_path_here(uint32_t thread)
{
    return here[thread];
}

void sm_path_is_born(uint32_t thread, uint32_t spawn)
{
    here[thread] = sm_local_child(spawn, SM_LOCAL_BORN);
}

void sm_path_stop(uint32_t thread, int kind, uint64_t value)
{
    struct sm_local end = {.kind = (uint8_t)kind, .value = value, .site = SM_NO_SITE};
    if (sm_local_at(here[thread])->kind == SM_LOCAL_UNKNOWN)
        sm_local_learn(here[thread], &end);
}

static bool is_same(const struct sm_local *then, const struct sm_local *now)
{
    bool says = now->kind == SM_LOCAL_WRITE || now->kind == SM_LOCAL_SPAWN ||
                now->kind == SM_LOCAL_RMW || now->kind == SM_LOCAL_JOIN;
    return then->kind == now->kind && then->loc == now->loc && then->op == now->op &&
           (!says || then->value == now->value);
}

static void leave_trail(uint32_t thread)
{
    struct trail *trail = &trails[thread];
    trail->nodes = sm_grow(trail->nodes, &trail->capacity, trail->n, sizeof *trail->nodes);
    trail->nodes[trail->n++] = here[thread];
}

void sm_path_stay(const struct sm_local *now, uint32_t thread)
{
    leave_trail(thread);
    if (sm_path_plan->want == SM_SEARCH_RACES || sm_path_plan->want == SM_SEARCH_WITNESS)
        sm_races_meet(here[thread]);
    const struct sm_local *then = sm_local_at(here[thread]);
    if (then->kind == SM_LOCAL_UNKNOWN && then->depth >= sm_option(bound)) {
        sm_path_stop(thread, SM_LOCAL_CUT, SM_CUT_BIT(BOUND));
        sm_prune();
    }
    if (then->kind == SM_LOCAL_CUT)
        sm_prune();
    if (then->kind == SM_LOCAL_UNKNOWN)
        sm_local_learn(here[thread], now);
    else if (!is_same(then, now) && sm_share_grew())
        sm_prune(); /* more is shared than when the tree was made: it is made again */
    else if (!is_same(then, now))
        sm_run_departed(thread);
}

const struct sm_move *sm_path_go(const struct sm_local *event, uint32_t thread, uint64_t dull,
                                 uint64_t *answer)
{
    *answer = dull;
    if (sm_exploring == SM_EXPLORE_FREE)
        return NULL;
    sm_path_stay(event, thread);
    const struct sm_move *step = take_step(thread);
    if (step)
        *answer = step->answer;
    else if (sm_exploring == SM_EXPLORE_ALL && ++further[thread] > FURTHER)
        sm_prune();
    here[thread] = sm_local_child(here[thread], *answer);
    return step;
}

uint16_t sm_path_position(uint32_t thread)
{
    return (uint16_t)trails[thread].n;
}

bool sm_path_leads_back(uint32_t thread, uint16_t since)
{
    uint32_t node = here[thread], first = trails[thread].nodes[since];
    if (sm_local_at(node)->kind != SM_LOCAL_UNKNOWN || first == node)
        return false;
    struct sm_local same = {.kind = SM_LOCAL_SAME, .value = first};
    sm_local_learn(node, &same);
    here[thread] = first;
    return true;
}

/* The node was reached by a read-modify-write that stored. */
static bool has_stored(const struct sm_local *node)
{
    const struct sm_local *event = sm_local_at(node->parent);
    uint64_t written;
    return event->kind == SM_LOCAL_RMW && sm_local_apply(event, node->answer, &written);
}

bool sm_path_ends_idle(uint32_t thread, uint16_t since)
{
    uint32_t node = here[thread], first = trails[thread].nodes[since];
    bool stored = false;
    if (sm_local_at(node)->kind != SM_LOCAL_UNKNOWN && sm_local_at(node)->kind != SM_LOCAL_IDLE)
        return false;
    for (; node != first && node; node = sm_local_at(node)->parent)
        stored |= has_stored(sm_local_at(node));
    if (!stored || !node)
        return false;
    sm_path_stop(thread, SM_LOCAL_IDLE, first);
    return true;
}

/* That of the event that led to the thread's node. */
uint16_t sm_path_last_name(uint32_t thread)
{
    return sm_exploring == SM_EXPLORE_FREE ? 0
                                           : sm_local_at(sm_local_at(here[thread])->parent)->nth;
}
