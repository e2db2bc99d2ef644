#include "verify/run/mirror.h"

#include "abi/choice.h"
#include "runtime/control.h"
#include "runtime/end.h"
#include "runtime/restart.h"
#include "verify/exploration.h"
#include "verify/graph/symmetry.h"
#include "verify/pool.h"
#include "verify/run/run.h"

/* How a run ended, as far as it must be the same with threads exchanged. */
struct end {
    uint32_t end;
    int32_t status;
    uint64_t output;
};

static struct mirror {
    bool wanted, on;
    uint32_t by; /* the current rotation */
    struct end end;
    struct sm_graph of;     /* a copy: a script may use the graph meanwhile */
    struct sm_graph graph;  /* that is followed */
    struct sm_graph *aside; /* the exploration's */
    uint64_t blocked;
} *mirror;

void sm_mirror_start(void)
{
    mirror = sm_pool_get(sizeof *mirror);
    *mirror = (struct mirror){0};
}

bool sm_mirror_is_on(void)
{
    return mirror && mirror->on;
}

static struct end end_of_run(void)
{
    const char *text;
    size_t size = sm_restart_written(&text);
    return (struct end){.end = sm_control->end,
                        .status = sm_control->status,
                        .output = sm_outcome_hash(text, size) +
                                  sm_outcome_hash(sm_control->outcome, sm_control->outcome_bytes)};
}

static bool is_same(const struct end *then, const struct end *now)
{
    if (then->end == SM_END_EXIT)
        return now->end == SM_END_EXIT && now->status == then->status &&
               now->output == then->output;
    return sm_end_is_failure((int)then->end) == sm_end_is_failure((int)now->end);
}

void sm_mirror_want(void)
{
    mirror->wanted = true;
    mirror->end = end_of_run();
    sm_graph_copy(&mirror->of, sm_graph_now());
}

static void forget(void)
{
    if (mirror->wanted)
        sm_graph_free(&mirror->of);
    mirror->wanted = false;
}

static bool exchange(void)
{
    uint8_t names[SM_GRAPH_THREADS];
    if (!sm_symmetry_rotate(&sm_exploration->symmetry, &mirror->of, ++mirror->by, names))
        return false;
    sm_graph_rename(&mirror->graph, &mirror->of, names);
    mirror->aside = sm_exploration->frontier.now;
    sm_exploration->frontier.now = &mirror->graph;
    mirror->blocked = sm_control->explored.blocked;
    mirror->on = true;
    return true;
}

static void leave(void)
{
    if (!mirror->on)
        return;
    sm_exploration->frontier.now = mirror->aside;
    sm_control->explored.blocked = mirror->blocked;
    sm_graph_free(&mirror->graph);
    mirror->on = false;
}

bool sm_mirror_begin(void)
{
    mirror->by = 0;
    return mirror->wanted && !sm_control->explored.stop && exchange();
}

void sm_mirror_give_up(void)
{
    leave();
    forget();
}

/* Joins are left where a thread still runs whose end was joined by its old name. */
static bool has_followed(uint32_t thread)
{
    for (uint32_t nth = 0;; nth++) {
        uint32_t e = sm_replay_peek(&sm_exploration->replay, thread, nth);
        if (e == SM_NO_NODE)
            return true;
        if (mirror->graph.nodes[e].kind != SM_NODE_JOIN)
            return false;
    }
}

static bool is_alike(void)
{
    const struct end now = end_of_run();
    bool same = is_same(&mirror->end, &now);
    for (uint32_t t = 0; t < SM_GRAPH_THREADS && same; t++)
        same = has_followed(t);
    return same;
}

static void part_all(void)
{
    for (uint32_t t = 1; t < SM_GRAPH_THREADS; t++)
        sm_symmetry_break(&sm_exploration->symmetry, t);
}

bool sm_mirror_next(void)
{
    const char *unused;
    if (!is_alike())
        part_all();
    if (sm_control->end == SM_END_EXIT)
        sm_restart_output(&unused);
    leave();
    if (!sm_exploration->symmetry.shrank && !sm_control->explored.stop) {
        if (exchange())
            return true;
        sm_symmetry_checked(&sm_exploration->symmetry, &mirror->of);
    }
    forget();
    return false;
}

_Noreturn void sm_mirror_departs(uint32_t thread)
{
    sm_symmetry_break(&sm_exploration->symmetry, thread);
    sm_prune();
}

uint32_t sm_mirror_pick(enum sm_purpose purpose, const uint32_t *options, uint32_t n)
{
    (void)purpose;
    (void)options;
    (void)n;
    return 0;
}
