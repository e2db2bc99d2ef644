#include "verify/trees/learn.h"

#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/restart.h"
#include "verify/exploration.h"
#include "verify/explore.h"
#include "verify/graph/symmetry.h"
#include "verify/loops/await.h"
#include "verify/pool.h"
#include "verify/run/share.h"
#include "verify/states/paths.h"
#include "verify/trees/effects.h"

/* Beyond so many nodes (10 MB) the trees are rebuilt: memory must not grow with the number of
   executions. */
enum { MOST_NODES = 150000, FIRST_INITIALS = 64 };

struct initial {
    bool known;
    uint64_t value;
};

static struct learnt {
    bool on, failed;
    uint32_t forest;
    struct initial *initials;
    uint32_t n_initials;
} *learnt;

/* State of this run. */
static uint32_t here[SM_GRAPH_THREADS];
static size_t printed;

void sm_learn_start(void)
{
    learnt = sm_pool_get(sizeof *learnt);
    *learnt = (struct learnt){.forest = 1, .n_initials = FIRST_INITIALS};
    learnt->on = sm_exploring == SM_EXPLORE_ALL && !sm_paths_on() && !sm_option(steps);
    learnt->initials = sm_pool_get(FIRST_INITIALS * sizeof *learnt->initials);
    memset(learnt->initials, 0, FIRST_INITIALS * sizeof *learnt->initials);
    if (learnt->on)
        sm_local_start();
}

/* Not while an execution is run again by a script. */
bool sm_learn_on(void)
{
    return learnt->on && sm_exploring == SM_EXPLORE_ALL;
}

void sm_learn_off(void)
{
    learnt->failed |= learnt->on;
    learnt->on = false;
}

bool sm_learn_failed(void)
{
    return learnt->failed;
}

static void uproot(void)
{
    sm_local_clear();
    learnt->forest++;
}

void sm_learn_clear(void)
{
    learnt->failed = false;
    memset(learnt->initials, 0, learnt->n_initials * sizeof *learnt->initials);
    if (learnt->on)
        uproot();
}

uint32_t sm_learn_forest(void)
{
    return learnt->forest;
}

/* The graph belongs to other trees, or to another process. */
static void adopt(struct sm_graph *graph)
{
    for (uint32_t e = 0; e < graph->n; e++)
        graph->nodes[e].local = graph->nodes[e].after = 0;
    for (uint32_t l = 0; l < graph->n_locs; l++)
        if (graph->locs[l].newest != SM_NO_NODE)
            sm_learn_initial((uint16_t)l, graph->locs[l].initial);
    graph->forest = learnt->forest;
}

void sm_learn_begin(struct sm_graph *graph)
{
    printed = 0;
    if (!learnt->on)
        return;
    if (sm_local_count() > MOST_NODES)
        uproot();
    if (graph->forest != learnt->forest)
        adopt(graph);
    memset(here, 0, sizeof here);
    here[0] = sm_local_root();
}

void sm_learn_pack(struct sm_parcel *parcel)
{
    sm_parcel_put(parcel, &learnt->on, sizeof learnt->on);
}

void sm_learn_unpack(struct sm_parcel *parcel)
{
    bool on;
    sm_parcel_take(parcel, &on, sizeof on);
    learnt->on &= on;
}

/* ---- trees ---- */

/* Ignores the state of a thread: stack slots that it has not written may hold values of an earlier
   run. */
static bool is_same(const struct sm_local *then, const struct sm_local *now)
{
    bool has_state = now->kind == SM_LOCAL_READ || now->kind == SM_LOCAL_IDLE;
    return then->kind == now->kind && then->loc == now->loc && then->value == now->value &&
           (has_state || then->old == now->old) && then->order == now->order;
}

/* If more is shared than was known, everything is made again anyway. */
static void differ(void)
{
    if (!sm_share_grew() && !sm_await_grew())
        sm_learn_off();
}

static void put(uint32_t node, const struct sm_local *event)
{
    const struct sm_local *then = sm_local_at(node);
    if (then->kind == SM_LOCAL_UNKNOWN)
        sm_local_learn(node, event);
    else if (!is_same(then, event))
        differ();
}

/* Another answer has led the thread to this event in the same state. */
static uint32_t find_same(const struct sm_local *now, const struct sm_local *event, uint64_t state)
{
    for (uint32_t c = sm_local_at(now->parent)->first_child; c; c = sm_local_at(c)->sibling)
        if (sm_local_at(c)->state == state && is_same(sm_local_at(c), event))
            return c;
    return 0;
}

static void come_to(uint32_t thread, const struct sm_local *event, const struct sm_event *run)
{
    struct sm_local *now = sm_local_at(here[thread]);
    uint8_t before = sm_local_at(now->parent)->kind;
    bool branches = before == SM_LOCAL_READ || before == SM_LOCAL_RMW || before == SM_LOCAL_JOIN;
    uint64_t state = branches && run ? sm_effects_state(run, sm_run_position(thread)) : 0;
    uint32_t same = state ? find_same(now, event, state) : 0;
    if (same) {
        sm_local_learn(here[thread], &(struct sm_local){.kind = SM_LOCAL_SAME, .value = same});
        here[thread] = same;
        return;
    }
    now->state = state;
    sm_local_learn(here[thread], event);
}

uint32_t sm_learn_event(uint32_t thread, const struct sm_local *event, const struct sm_event *run)
{
    if (!sm_learn_on())
        return 0;
    if (sm_local_at(here[thread])->kind == SM_LOCAL_UNKNOWN)
        come_to(thread, event, run);
    else
        put(here[thread], event);
    return here[thread];
}

void sm_learn_after(uint32_t thread, uint64_t answer, const struct sm_local *event)
{
    if (sm_learn_on())
        put(sm_local_child(here[thread], answer), event);
}

void sm_learn_answer(uint32_t thread, uint64_t answer)
{
    if (sm_learn_on())
        here[thread] = sm_local_child(here[thread], answer);
}

void sm_learn_spawn(uint32_t thread, uint32_t child)
{
    if (!sm_learn_on())
        return;
    here[child] = sm_local_child(here[thread], SM_LOCAL_BORN);
    here[thread] = sm_local_child(here[thread], 0);
}

/* ---- effects of a thread that is joined ---- */

uint64_t sm_learn_left_by(uint32_t end)
{
    return sm_effects_are_known() ? sm_local_at(end)->value : end;
}

void sm_learn_join(uint32_t thread, uint32_t child)
{
    if (!sm_learn_on())
        return;
    uint64_t answer = sm_learn_left_by(here[child]);
    sm_effects_join(thread, answer);
    sm_learn_answer(thread, answer);
}

/* ---- initial values ---- */

void sm_learn_initial(uint16_t loc, uint64_t value)
{
    if (!sm_learn_on())
        return;
    while (loc >= learnt->n_initials) {
        size_t size = learnt->n_initials * sizeof *learnt->initials;
        learnt->initials = sm_pool_double(learnt->initials, size);
        memset((char *)learnt->initials + size, 0, size);
        learnt->n_initials *= 2;
    }
    struct initial *initial = &learnt->initials[loc];
    if (initial->known && initial->value != value)
        differ();
    *initial = (struct initial){true, value};
}

uint64_t sm_learned_initial(uint16_t loc)
{
    return learnt->initials[loc].value;
}

/* ---- output ---- */

void sm_learn_switch(const struct sm_thread *from)
{
    if (sm_exploring != SM_EXPLORE_ALL)
        return;
    const char *unused;
    size_t now = sm_restart_written(&unused) + sm_control->outcome_bytes;
    if (now != printed && from->id != 0) {
        sm_learn_off();
        sm_symmetry_break(&sm_exploration->symmetry, from->id);
    }
    printed = now;
}
