#include "verify/run/spurious.h"

#include <string.h>

#include "base/mix.h"
#include "base/sys.h"
#include "core/order.h"
#include "core/rmw.h"
#include "runtime/choice.h"
#include "runtime/control.h"
#include "runtime/model/memory.h"
#include "runtime/module.h"
#include "runtime/sched/sched.h"
#include "verify/exploration.h"
#include "verify/explore.h"
#include "verify/graph/graph.h"
#include "verify/loops/await.h"
#include "verify/loops/iteration.h"
#include "verify/loops/probe.h"
#include "verify/pool.h"
#include "verify/run/run.h"
#include "verify/run/share.h"
#include "verify/states/path.h"
#include "verify/states/paths.h"
#include "verify/trees/effects.h"

/* Failures in a row at one place; places of a thread that are remembered. */
enum { MOST_IN_A_ROW = 3, MOST_PLACES = 16 };

/* State of this run. */
static struct failures {
    struct {
        const void *place; /* a site, or where a wait returns to */
        uint32_t n;
        uint64_t state; /* of the thread when it began to wait */
    } at[MOST_PLACES];
    uint32_t n;
} failures[SM_GRAPH_THREADS] SM_SELDOM;

/* State of this run: how many events the thread had had when it last took a mutex, and when it was
   last at the header of a loop. */
static struct {
    const void *mutex;
    uint32_t effects; /* of the thread until it took the mutex */
    uint16_t locked, header;
} arrivals[SM_GRAPH_THREADS];

static struct failures *change(uint32_t thread)
{
    sm_seldom_touch(&failures[thread], sizeof *failures);
    return &failures[thread];
}

void sm_spurious_begin(void)
{
    uint32_t n = sm_share_thread_count();
    for (uint32_t i = 0; i < n; i++)
        if (failures[i].n)
            change(i)->n = 0;
    memset(arrivals, 0, n * sizeof *arrivals);
}

uint64_t sm_spurious_state(uint32_t thread)
{
    const struct failures *of = &failures[thread];
    uint64_t hash = of->n;
    for (uint32_t i = 0; i < of->n; i++)
        hash = sm_mix(sm_mix(hash, (uintptr_t)of->at[i].place), of->at[i].n);
    return hash;
}

/* ---- how often ---- */

static uint32_t find(const struct failures *of, const void *place)
{
    uint32_t i = 0;
    while (i < of->n && of->at[i].place != place)
        i++;
    return i;
}

/* Too many places: as if there had been too many failures. */
static bool may_fail_again(uint32_t thread, const void *place)
{
    const struct failures *of = &failures[thread];
    uint32_t i = find(of, place);
    return i < of->n ? of->at[i].n < MOST_IN_A_ROW : of->n < MOST_PLACES;
}

static bool has_failed(uint32_t thread, const void *place)
{
    return find(&failures[thread], place) < failures[thread].n;
}

static void note_failure(uint32_t thread, const void *place, uint64_t state)
{
    struct failures *of = change(thread);
    uint32_t i = find(of, place);
    if (i == MOST_PLACES)
        return;
    if (i == of->n) {
        of->at[i].place = place;
        of->at[of->n++].n = 0;
    }
    of->at[i].n++;
    of->at[i].state = state;
}

static void forget(uint32_t thread, const void *place)
{
    uint32_t i = find(&failures[thread], place);
    if (i == failures[thread].n)
        return;
    struct failures *of = change(thread);
    of->at[i] = of->at[--of->n];
}

static void cut(void)
{
    if (sm_exploring == SM_EXPLORE_ALL)
        sm_control->explored.cut |= SM_CUT_BIT(SPURIOUS);
}

/* ---- choices ---- */

/* The runtime asks, too, when it updates private memory: never to fail. */
static uint32_t answer;

uint32_t sm_spurious_answer(void)
{
    return answer;
}

/* Records the pick, or gets it from the record. */
static bool agree_on(enum sm_purpose purpose, uint32_t pick)
{
    if (sm_exploring == SM_EXPLORE_ALL)
        return pick;
    answer = pick;
    pick = sm_choose(purpose, 2, NULL);
    answer = 0;
    return pick;
}

/* `flags`: see sm_run_pick. */
static uint32_t pick(uint32_t thread, int flags)
{
    if (sm_exploring == SM_EXPLORE_FREE)
        return 0;
    return sm_paths_on() ? sm_paths_choice(thread, 2) : sm_run_pick(thread, 2, flags, 0);
}

/* ---- compare-exchanges ---- */

static bool is_of_interest(const struct sm_event *event)
{
    uint32_t hidden = sm_paths_on() ? SM_VALUE_RETRIED | SM_VALUE_RESTORED : SM_VALUE_RETRIED;
    return sm_rmw_is_weak(event) && (event->site->use & hidden) != SM_VALUE_RETRIED;
}

bool sm_spurious_fails(const struct sm_event *event, struct sm_local *local)
{
    uint32_t thread = event->thread->id;
    if (!is_of_interest(event) || !may_fail_again(thread, event->site))
        return false;
    bool fails = agree_on(SM_PURPOSE_WEAK_CAS, pick(thread, 0));
    if (!local)
        return fails;
    local->flags |= SM_LOCAL_AT_ONCE;
    if (!fails)
        return false;
    local->flags |= SM_LOCAL_FAILS;
    local->order = local->order_fail = sm_order_of_cas(false, local->order, local->order_fail);
    return true;
}

void sm_spurious_fail(struct sm_event *event, uint64_t read)
{
    sm_rmw_fail(event, read);
    if (event->thread->cas_failed)
        note_failure(event->thread->id, event->site, 0);
    else if (sm_exploring == SM_EXPLORE_ALL)
        sm_end(SM_END_ASSUME, 0, "%s", "a compare-exchange does not fail spuriously");
}

static bool is_expected(const struct sm_event *event, uint64_t value)
{
    return value == (uint64_t)sm_wide_truncate(event->old, event->size);
}

bool sm_spurious_fails_privately(struct sm_event *event)
{
    uint32_t thread = event->thread->id;
    if (!is_of_interest(event) || !may_fail_again(thread, event->site) ||
        !is_expected(event, sm_memory_read(event->addr, event->size)) ||
        !agree_on(SM_PURPOSE_WEAK_CAS, pick(thread, 0)))
        return false;
    sm_memory_load(event);
    sm_spurious_fail(event, event->value);
    return true;
}

void sm_spurious_done(const struct sm_event *event)
{
    uint32_t thread = event->thread->id;
    bool weak = event->site && (event->site->flags & SM_SITE_WEAK_CAS);
    if (SM_LIKELY(!weak) || event->kind == SM_EV_CAS_FAIL || !is_of_interest(event))
        return;
    if (!may_fail_again(thread, event->site))
        cut();
    forget(thread, event->site);
}

/* ---- waits ---- */

static uint16_t position(uint32_t thread)
{
    if (sm_exploring == SM_EXPLORE_FREE)
        return 0; /* whatever is decided there is recorded */
    return sm_paths_on() ? sm_path_position(thread)
                         : (uint16_t)(sm_run_position(thread) + sm_probe_is_active(thread));
}

void sm_spurious_header(uint32_t thread)
{
    arrivals[thread].header = position(thread);
}

void sm_spurious_locks(const struct sm_event *event, bool tried)
{
    uint32_t thread = event->thread->id;
    uint16_t loc = sm_share_object(event->addr);
    if (tried && !sm_share_users(loc, SM_USE_LOOKS))
        sm_share_user(loc, SM_USE_LOOKS, thread);
    arrivals[thread].mutex = (const void *)event->addr;
    arrivals[thread].locked = position(thread);
    arrivals[thread].effects = sm_iteration_effects(thread);
}

/* Others may print between this and what the thread does after its wait. */
void sm_spurious_prints(uint32_t thread)
{
    arrivals[thread].mutex = NULL;
}

/* See spurious.h. */
static bool may_come_late(uint32_t thread, const void *mutex)
{
    return arrivals[thread].mutex == mutex && arrivals[thread].header == arrivals[thread].locked &&
           !sm_share_users(sm_share_object((uintptr_t)mutex), SM_USE_LOOKS);
}

/* The thread has only read since its last wait here, which ended for no reason, and is where it was
   then: a loop that the pass has not recognised. */
static bool is_again(const struct sm_spurious_wait *wait)
{
    const struct failures *of = &failures[wait->thread];
    uint32_t i = find(of, wait->pc);
    return wait->state && i < of->n && of->at[i].state == wait->state &&
           arrivals[wait->thread].effects == sm_iteration_effects(wait->thread);
}

/* Nothing new follows if this wait ends for no reason. */
static bool is_hidden(const struct sm_spurious_wait *wait, bool retried, const void *mutex)
{
    if (retried)
        return may_come_late(wait->thread, mutex) || has_failed(wait->thread, wait->pc);
    return is_again(wait);
}

struct sm_spurious_wait sm_spurious_waits(const struct sm_event *event, const void *mutex)
{
    struct sm_thread *self = event->thread;
    struct sm_spurious_wait wait = {.thread = self->id, .pc = (const void *)event->pc};
    bool retried = self->retries_wait, known = !sm_effects_are_lost(self->id);
    self->retries_wait = false;
    if (!retried && known && sm_effects_are_known() && sm_exploring != SM_EXPLORE_FREE)
        wait.state = sm_await_take_state(event);
    if (is_hidden(&wait, retried, mutex))
        return wait;
    wait.explored = may_fail_again(self->id, wait.pc);
    if (!wait.explored)
        cut();
    return wait;
}

bool sm_spurious_ends(const struct sm_spurious_wait *wait)
{
    return agree_on(SM_PURPOSE_SPURIOUS, wait->explored ? pick(wait->thread, SM_LOCAL_AT_ONCE) : 0);
}

void sm_spurious_ended(const struct sm_spurious_wait *wait, bool woken)
{
    note_failure(wait->thread, wait->pc, wait->state);
    if (woken && sm_exploring == SM_EXPLORE_ALL)
        sm_end(SM_END_ASSUME, 0, "%s", "a wait does not end for no reason");
}

void sm_spurious_is_over(const struct sm_spurious_wait *wait)
{
    forget(wait->thread, wait->pc);
}

/* ---- stores that are made again ---- */

struct sm_spurious_stored *sm_spurious_stored;

void sm_spurious_start(void)
{
    sm_spurious_stored =
        memset(sm_pool_get(sizeof *sm_spurious_stored), 0, sizeof *sm_spurious_stored);
}

static bool is_marked(uint32_t number)
{
    const struct sm_site *site = number == SM_NO_SITE ? NULL : sm_site_by_number(number);
    return site && (site->use & SM_VALUE_RETRIED) &&
           (site->kind == SM_SITE_STORE || site->kind == SM_SITE_ATOMIC_STORE);
}

void sm_spurious_stores(const struct sm_site *site, uint16_t loc)
{
    uint32_t i = 0;
    if (SM_LIKELY(!site || !(site->use & SM_VALUE_RETRIED)))
        return;
    while (i < sm_spurious_stored->n && sm_spurious_stored->locs[i] != loc)
        i++;
    if (i == SM_MOST_STORED)
        cut();
    else if (i == sm_spurious_stored->n)
        sm_spurious_stored->locs[sm_spurious_stored->n++] = loc;
}

static bool is_ordered(const struct sm_graph *graph, uint32_t a, uint32_t b)
{
    const struct sm_node *x = &graph->nodes[a], *y = &graph->nodes[b];
    return x->thread == y->thread || sm_vector_has(sm_graph_hb(graph, a), y) ||
           sm_vector_has(sm_graph_hb(graph, b), x);
}

static uint32_t newest_at(const struct sm_graph *graph, uint16_t loc)
{
    return loc < graph->n_locs ? graph->locs[loc].newest : SM_NO_NODE;
}

static bool is_met(const struct sm_graph *graph, uint32_t store)
{
    for (uint32_t e = newest_at(graph, graph->nodes[store].loc); e != SM_NO_NODE;
         e = graph->nodes[e].older)
        if (graph->nodes[e].kind == SM_NODE_WRITE && !is_ordered(graph, store, e))
            return true;
    return false;
}

void sm_spurious_look_at(const struct sm_graph *graph)
{
    for (uint32_t i = 0; i < sm_spurious_stored->n; i++)
        for (uint32_t e = newest_at(graph, sm_spurious_stored->locs[i]); e != SM_NO_NODE;
             e = graph->nodes[e].older)
            if (graph->nodes[e].kind == SM_NODE_WRITE && is_marked(graph->nodes[e].site) &&
                is_met(graph, e))
                cut();
}

void sm_spurious_race(uint32_t first, uint32_t second)
{
    if (is_marked(first) || is_marked(second))
        cut();
}
