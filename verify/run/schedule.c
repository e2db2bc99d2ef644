/* schedule.c - which thread runs next in a run that follows a graph: first threads with more events
   in the graph, then by rank (graph/rank.h). */
#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/policy/policy.h"
#include "runtime/sched/sched.h"
#include "verify/exploration.h"
#include "verify/explore.h"
#include "verify/graph/preempt.h"
#include "verify/graph/threads.h"
#include "verify/loops/probe.h"
#include "verify/pool.h"
#include "verify/results/parcel.h"
#include "verify/run/misuses.h"
#include "verify/run/outside.h"
#include "verify/run/run.h"
#include "verify/run/script.h"
#include "verify/run/share.h"
#include "verify/states/paths.h"

static sm_threads giving_way; /* let others go first */

/* ---- searching for shared memory ---- */

/* A thread may wait in a loop that counts, for memory that nobody else has accessed so far: then it
   has no events, never repeats a state, and nobody else runs. After QUIET_POINTS scheduling points
   without an event the threads are run round-robin in that run, to find out whether more memory is
   shared. That is not the order in which events must be added, so the exploration restarts; and if
   no more is shared, the threads are merely slow, and this is not tried again. */
enum { QUIET_POINTS = 10000, LONGEST_LOOK = 100000 };
static struct {
    uint32_t points, events; /* since the thread has had so many */
    uint32_t turns;          /* that threads have taken; state engine */
    bool looks;              /* this run */
} quiet;
static bool *in_vain; /* in the pool: a restart restores the program's memory */

void sm_run_schedule_start(void)
{
    in_vain = sm_pool_get(sizeof *in_vain);
    *in_vain = false;
}

void sm_run_schedule_begin(void)
{
    giving_way = 0;
    quiet.points = quiet.turns = 0;
    quiet.looks = false;
}

bool sm_run_looked_around(void)
{
    *in_vain |= quiet.looks && !sm_share_grew();
    return quiet.looks;
}

/* The candidates begin with the running thread. */
static uint32_t take_turns(const struct sm_candidates *candidates)
{
    if (sm_share_grew())
        sm_prune();
    return candidates->n - 1;
}

static bool is_patient(const struct sm_thread *next, uint32_t events)
{
    bool same = next == sm_running() && events == quiet.events;
    quiet.points = same ? quiet.points + 1 : 0;
    quiet.events = events;
    quiet.looks |= quiet.points > QUIET_POINTS && !*in_vain && !sm_parcel_is_part();
    return !quiet.looks;
}

/* ---- the next thread ---- */

bool sm_explore_is_exiting(const struct sm_thread *thread)
{
    return thread->pending && thread->pending->kind == SM_EV_SYSCALL;
}

static uint32_t find(const struct sm_candidates *candidates, uint32_t thread)
{
    for (uint32_t i = 0; i < candidates->n; i++)
        if (sm_candidate(candidates, i)->id == thread)
            return i;
    return candidates->n;
}

static bool is_renewing(const struct sm_thread *thread)
{
    return thread->pending && thread->pending->kind == SM_EV_INIT;
}

static enum sm_rank rank_of(const struct sm_thread *thread)
{
    if (sm_explore_is_exiting(thread))
        return SM_RANK_EXITS;
    if (is_renewing(thread))
        return sm_misuses_rank();
    return sm_probe_waits(thread->id) ? SM_RANK_WOULD_BLOCK : sm_run_rank_of_operation(thread->id);
}

static bool is_ready(const struct sm_thread *thread)
{
    return thread->state == SM_THREAD_NEW || thread->state == SM_THREAD_RUNNABLE;
}

bool sm_run_others_follow_release(const struct sm_thread *self, uint16_t released)
{
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next) {
        if (t == self || !is_ready(t))
            continue;
        enum sm_rank own = rank_of(t);
        bool follows = own == SM_RANK_WOULD_BLOCK && sm_run_follows_release(t->id, released);
        if (own < SM_RANK_EXITS && !follows)
            return false;
    }
    return true;
}

static uint32_t rank(const struct sm_thread *thread)
{
    return rank_of(thread) * SM_GRAPH_THREADS + thread->id;
}

static uint32_t lowest_rank(const struct sm_candidates *candidates)
{
    uint32_t best = 0, best_rank = rank(sm_candidate(candidates, 0));
    for (uint32_t i = 1; i < candidates->n; i++) {
        uint32_t own = rank(sm_candidate(candidates, i));
        if (own >= best_rank)
            continue;
        best = i;
        best_rank = own;
    }
    return best;
}

static uint32_t within_bound(const struct sm_candidates *candidates)
{
    struct sm_ready ready = {.n = sm_share_thread_count()};
    for (uint32_t t = 0; t < ready.n; t++)
        sm_ready_set(&ready, t, SM_RANK_BLOCKED, NULL);
    for (uint32_t i = 0; i < candidates->n; i++) {
        const struct sm_thread *thread = sm_candidate(candidates, i);
        sm_ready_set(&ready, thread->id, rank_of(thread), sm_run_operation(thread->id));
    }
    uint32_t next = sm_preempt_next(&ready);
    if (next == SM_NO_TURN)
        sm_prune();
    return find(candidates, next);
}

static bool another_is_ready(const struct sm_thread *self)
{
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (t != self && is_ready(t))
            return true;
    return false;
}

void sm_run_wait_for_turn(const struct sm_node *node)
{
    bool joined = node->flags & (SM_NODE_RMW | SM_NODE_JOINED);
    if (joined || sm_preempt_is_aside(node) || sm_exploring != SM_EXPLORE_ALL ||
        sm_preempt_has_turn(node->thread) || !another_is_ready(sm_running()))
        return;
    struct sm_event event = sm_sync_event(SM_EV_YIELD, NULL, 0, NULL);
    sm_point(&event);
}

static uint32_t by_script(const struct sm_candidates *candidates)
{
    uint32_t thread = sm_paths_on() ? sm_paths_thread() : sm_script_thread();
    if (thread == SM_NO_NODE)
        thread = sm_explore_failed_thread();
    uint32_t found = find(candidates, thread);
    return found < candidates->n ? found : lowest_rank(candidates);
}

/* Threads take turns only for a while: if no more is shared then, no more searching helps. */
static uint32_t by_path(const struct sm_candidates *candidates)
{
    uint32_t next = by_script(candidates);
    if (sm_exploring != SM_EXPLORE_ALL ||
        is_patient(sm_candidate(candidates, next), sm_paths_events()))
        return next;
    quiet.looks = ++quiet.turns < LONGEST_LOOK;
    *in_vain |= !quiet.looks;
    return quiet.looks ? take_turns(candidates) : next;
}

static bool is_replaying(const struct sm_thread *thread)
{
    return sm_run_follows(thread->id);
}

bool sm_run_is_early(uint32_t thread)
{
    return sm_outside_on && !sm_replay_is_ready(&sm_exploration->replay, sm_graph_now(), thread);
}

static bool gives_way(const struct sm_thread *thread)
{
    return sm_threads_have(giving_way, thread->id);
}

/* The first thread that the graph answers, preferably one that is not early (sm_run_is_early). */
static uint32_t find_replaying(const struct sm_candidates *candidates)
{
    uint32_t found = candidates->n;
    for (uint32_t i = 0; i < candidates->n; i++) {
        if (!is_replaying(sm_candidate(candidates, i)) || gives_way(sm_candidate(candidates, i)))
            continue;
        if (!sm_run_is_early(sm_candidate(candidates, i)->id))
            return i;
        found = found < i ? found : i;
    }
    return found;
}

static uint32_t next_thread(const struct sm_candidates *candidates)
{
    if (sm_paths_on())
        return by_path(candidates);
    if (sm_exploring == SM_EXPLORE_SCRIPT)
        return by_script(candidates);
    sm_probe_settle(sm_running()->id);
    uint32_t replaying = find_replaying(candidates);
    if (replaying < candidates->n)
        return replaying;
    for (uint32_t i = 0; i < candidates->n; i++)
        if (is_replaying(sm_candidate(candidates, i)) || gives_way(sm_candidate(candidates, i))) {
            giving_way = 0;
            return i;
        }
    uint32_t next = sm_preempt_on() ? within_bound(candidates) : lowest_rank(candidates);
    bool patient = is_patient(sm_candidate(candidates, next), sm_graph_now()->n);
    return patient ? next : take_turns(candidates);
}

static uint32_t replayed(void)
{
    uint32_t n = 0;
    for (uint32_t t = 0, most = sm_share_thread_count(); t < most; t++)
        n += sm_run_position(t);
    return n;
}

bool sm_explore_give_way(void)
{
    if (sm_exploring != SM_EXPLORE_ALL || sm_paths_on())
        return false;
    struct sm_event event = sm_sync_event(SM_EV_YIELD, NULL, 0, NULL);
    uint32_t before = replayed();
    giving_way |= sm_threads_of(sm_running()->id);
    sm_point(&event);
    giving_way &= ~sm_threads_of(sm_running()->id);
    return replayed() != before;
}

const struct sm_schedule sm_schedule_graph = {.thread = next_thread};
