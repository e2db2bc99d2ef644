#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/module.h"
#include "runtime/restart.h"
#include "runtime/sched/sched.h"
#include "verify/consistency/races.h"
#include "verify/explore.h"
#include "verify/pool.h"
#include "verify/run/run.h"
#include "verify/run/share.h"
#include "verify/states/path.h"
#include "verify/states/paths.h"
#include "verify/trees/effects.h"

/* How many events a thread continues after the steps: to learn more is useful, but a loop that
   writes would continue up to the bound each time. */
enum { FURTHER = 100, FIRST_STATES_TAKEN = 64 };

struct sm_path_plan *sm_path_plan;

/* The states of threads at nodes that follow a read: answers that make no difference lead to one
   node. Outlives a run. */
static struct merging {
    uint64_t *states; /* of nodes; 0: not taken */
    uint32_t capacity;
    bool *endless; /* nodes at which a turn of a loop without end begins */
    uint32_t endless_capacity;
    bool failed; /* a thread did not repeat what it did in the same state */
    bool off;
} *merging;

/* State of this run. */
static uint32_t here[SM_MACHINE_THREADS];
static uint32_t further[SM_MACHINE_THREADS];
static struct trail {
    uint32_t *nodes; /* that the thread has passed */
    uint32_t n, capacity;
} trails[SM_MACHINE_THREADS];
static uint32_t n_events;
static uint32_t last_thread; /* that has had an event */
static size_t printed;       /* until then */
static uint32_t first_left;  /* first step not taken yet */
static uint8_t *taken;       /* steps */

void sm_path_steps_start(void)
{
    sm_path_plan = sm_pool_get(sizeof *sm_path_plan);
    *sm_path_plan = (struct sm_path_plan){.want = SM_SEARCH_LEARN};
    merging = sm_pool_get(sizeof *merging);
    *merging = (struct merging){.capacity = FIRST_STATES_TAKEN, .off = !sm_effects_are_known()};
    merging->states = sm_pool_get(FIRST_STATES_TAKEN * sizeof *merging->states);
    merging->endless_capacity = FIRST_STATES_TAKEN;
    merging->endless = sm_pool_get(FIRST_STATES_TAKEN * sizeof *merging->endless);
    sm_path_steps_forget();
}

void sm_path_steps_forget(void)
{
    memset(merging->states, 0, merging->capacity * sizeof *merging->states);
    memset(merging->endless, 0, merging->endless_capacity * sizeof *merging->endless);
}

/* Everything must restart. True only once. */
bool sm_path_steps_failed(void)
{
    bool failed = merging->failed;
    merging->failed = false;
    return failed;
}

void sm_path_steps_begin(void)
{
    memset(here, 0, sizeof here);
    memset(further, 0, sizeof further);
    memset(trails, 0, sizeof trails);
    here[0] = sm_local_root();
    first_left = n_events = 0;
    last_thread = 0;
    printed = 0;
    taken = sm_alloc(sm_path_plan->run.n_steps + 1ul);
}

/* ---- the steps ---- */

static bool is_left(uint32_t step)
{
    return !taken[step];
}

uint32_t sm_paths_events(void)
{
    return n_events;
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

static bool is_same(const struct sm_local *then, const struct sm_local *now)
{
    bool says = now->kind == SM_LOCAL_WRITE || now->kind == SM_LOCAL_SPAWN ||
                now->kind == SM_LOCAL_RMW || now->kind == SM_LOCAL_JOIN;
    return then->kind == now->kind && then->loc == now->loc && then->op == now->op &&
           (!says || then->value == now->value);
}

static uint64_t *state_at(uint32_t node)
{
    uint32_t before = merging->capacity;
    merging->states =
        sm_pool_room(merging->states, &merging->capacity, node, sizeof *merging->states);
    memset(merging->states + before, 0, (merging->capacity - before) * sizeof *merging->states);
    return &merging->states[node];
}

/* Another value that was read has led the thread to this event in the same state. */
static uint32_t find_same(uint32_t node, const struct sm_local *event, uint64_t state)
{
    uint32_t child = state ? sm_local_at(sm_local_at(node)->parent)->first_child : 0;
    while (child && !(*state_at(child) == state && is_same(sm_local_at(child), event)))
        child = sm_local_at(child)->sibling;
    return child;
}

/* The next event of the thread, in this state, was not known. */
static void come_to(uint32_t thread, const struct sm_local *event, uint64_t state)
{
    uint32_t node = here[thread], same = find_same(node, event, state);
    struct sm_local as = {.kind = SM_LOCAL_SAME, .value = same};
    sm_local_learn(node, same ? &as : event);
    if (same)
        here[thread] = same;
    else
        *state_at(node) = state;
}

/* The thread has just read: only then its states are compared. */
static bool has_read(uint32_t thread)
{
    return !merging->off && sm_local_at(sm_local_at(here[thread])->parent)->kind == SM_LOCAL_READ;
}

void sm_path_stop(uint32_t thread, int kind, uint64_t value)
{
    struct sm_local end = {.kind = (uint8_t)kind, .value = value, .site = SM_NO_SITE};
    if (sm_local_at(here[thread])->kind == SM_LOCAL_UNKNOWN)
        sm_local_learn(here[thread], &end);
}

static void note_printed(uint32_t thread)
{
    const char *unused;
    size_t so_far = sm_restart_written(&unused) + sm_control->outcome_bytes;
    if (so_far != printed && last_thread && sm_machine_is_sc())
        sm_control->explored.cut |= SM_CUT_BIT(PRINTED);
    printed = so_far;
    last_thread = thread;
}

void sm_path_end(const struct sm_thread *thread)
{
    struct sm_local end = {.kind = SM_LOCAL_END, .site = SM_NO_SITE};
    uint64_t left = sm_effects_at_end(thread);
    note_printed(thread->id);
    if (sm_local_at(here[thread->id])->kind == SM_LOCAL_UNKNOWN)
        come_to(thread->id, &end, has_read(thread->id) ? left | 1 : 0);
}

static uint64_t take_state(uint32_t thread, const struct sm_local *now)
{
    bool access = now->kind == SM_LOCAL_READ || sm_local_writes(now);
    const struct sm_event event = {.thread = sm_running(),
                                   .kind = access ? SM_EV_RMW : SM_EV_YIELD,
                                   .site = sm_site_by_number(now->site),
                                   .size = now->size,
                                   .value = now->value,
                                   .old = now->old};
    bool whole = has_read(thread) && event.thread && event.thread->id == thread;
    return whole ? sm_effects_state(&event, sm_path_position(thread)) : 0;
}

static void leave_trail(uint32_t thread)
{
    struct trail *trail = &trails[thread];
    trail->nodes = sm_grow(trail->nodes, &trail->capacity, trail->n, sizeof *trail->nodes);
    trail->nodes[trail->n++] = here[thread];
}

void sm_path_stay(const struct sm_local *now, uint32_t thread)
{
    note_printed(thread);
    bool new = sm_local_at(here[thread])->kind == SM_LOCAL_UNKNOWN;
    if (new && sm_local_at(here[thread])->depth < sm_option(bound))
        come_to(thread, now, take_state(thread, now));
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
    if (is_same(then, now))
        return;
    merging->failed = !merging->off;
    merging->off = true;
    if (sm_share_grew() || merging->failed)
        sm_prune(); /* the tree is made again: more is shared, or nodes were taken for the same */
    sm_run_departed(thread);
}

const struct sm_move *sm_path_go(const struct sm_local *event, uint32_t thread, uint64_t otherwise,
                                 uint64_t *answer)
{
    *answer = otherwise;
    n_events++;
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

static bool is_above(uint32_t ancestor, uint32_t node)
{
    while (node && node != ancestor)
        node = sm_local_at(node)->parent;
    return node;
}

bool sm_path_leads_back(uint32_t thread, uint16_t since)
{
    uint32_t node = here[thread], first = trails[thread].nodes[since];
    if (sm_local_at(node)->kind != SM_LOCAL_UNKNOWN || first == node)
        return false;
    struct sm_local same = {.kind = SM_LOCAL_SAME, .value = first};
    sm_local_learn(node, &same);
    if (!is_above(first, node))
        sm_local_at(first)->flags |= SM_LOCAL_ENTERED;
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

void sm_path_is_endless(uint32_t thread)
{
    uint32_t before = merging->endless_capacity;
    merging->endless = sm_pool_room(merging->endless, &merging->endless_capacity, here[thread],
                                    sizeof *merging->endless);
    memset(merging->endless + before, 0,
           (merging->endless_capacity - before) * sizeof *merging->endless);
    merging->endless[here[thread]] = true;
}

bool sm_path_begins_turn(uint32_t node)
{
    return node < merging->endless_capacity && merging->endless[node];
}

/* That of the event that led to the thread's node. */
uint16_t sm_path_last_name(uint32_t thread)
{
    return sm_exploring == SM_EXPLORE_FREE ? 0
                                           : sm_local_at(sm_local_at(here[thread])->parent)->nth;
}
