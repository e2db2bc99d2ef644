#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "verify/explore.h"
#include "verify/pool.h"
#include "verify/states/idle.h"
#include "verify/states/path.h"
#include "verify/states/search_parts.h"

enum { FIRST_ITEMS = 64, COST_OF_STATE = 2 };

/* ---- begin ---- */

static void begin_iteration(struct sm_search *search)
{
    sm_states_clear(&search->states);
    search->edges.n = search->ends.n = search->kept.n = 0;
    search->sure.n = search->doubtful.n = 0;
    sm_machine_begin(&search->next);
    sm_states_add(&search->states, &search->next, SM_NO_STATE, NULL, 0);
    memset(search->quiet_at, 0, sizeof search->quiet_at);
    search->was_wrong = false;
}

static struct sm_raced_pairs first_races(void)
{
    return (struct sm_raced_pairs){sm_pool_get(FIRST_ITEMS * sizeof(struct sm_raced_pair)), 0,
                                   FIRST_ITEMS};
}

static void start_sets(struct sm_search *search)
{
    sm_keys_start(&search->writes);
    sm_keys_start(&search->racy);
    sm_keys_start(&search->places);
    sm_keys_start(&search->races);
    sm_keys_start(&search->made_keys);
    sm_keys_start(&search->endings);
    sm_keys_start(&search->wrong);
}

struct sm_search *sm_search_start(void)
{
    struct sm_search *search = sm_map(NULL, sizeof *search);
    sm_states_init(&search->states);
    search->states.in_order = sm_machine_is_sc(); /* the shortest path to each state */
    start_sets(search);
    search->made_capacity = search->waiting_capacity = search->step_capacity = FIRST_ITEMS;
    search->made = sm_pool_get(FIRST_ITEMS * sizeof *search->made);
    search->waiting = sm_pool_get(FIRST_ITEMS * sizeof *search->waiting);
    search->steps = sm_pool_get(FIRST_ITEMS * sizeof *search->steps);
    sm_edges_start(&search->edges);
    search->ends = sm_numbers_new();
    search->kept = sm_numbers_new();
    search->sure = first_races();
    search->doubtful = first_races();
    search->chain.capacity = search->chain.race_capacity = FIRST_ITEMS;
    search->chain.at = sm_pool_get(FIRST_ITEMS * sizeof *search->chain.at);
    search->chain.races = sm_pool_get(FIRST_ITEMS * sizeof *search->chain.races);
    search->iterations = 1;
    begin_iteration(search);
    return search;
}

void sm_search_clear(struct sm_search *search)
{
    sm_keys_clear(&search->writes);
    sm_keys_clear(&search->racy);
    sm_keys_clear(&search->places);
    sm_keys_clear(&search->races);
    sm_keys_clear(&search->endings);
    sm_keys_clear(&search->made_keys);
    search->n_made = search->usable = 0;
    search->raced = false;
    memset(search->raced_at, 0, sizeof search->raced_at);
    search->promising = search->racing = 0;
    search->iterations = 1;
    search->executions = search->blocked = 0;
    search->hung = false;
    begin_iteration(search);
}

/* ---- runs ---- */

void sm_search_ask_for_path(struct sm_search *search, uint32_t number)
{
    search->n_steps =
        sm_states_path(&search->states, number, &search->steps, &search->step_capacity);
}

static void append_step(struct sm_search *search, const struct sm_move *step)
{
    search->steps =
        sm_pool_room(search->steps, &search->step_capacity, search->n_steps, sizeof *search->steps);
    search->steps[search->n_steps++] = *step;
}

void sm_search_ask_to_learn(struct sm_search *search, uint32_t thread, const struct sm_solo *solo)
{
    if (search->missed)
        return;
    search->missed = true;
    search->wanted = thread;
    sm_search_ask_for_path(search, search->number);
    for (uint32_t i = 0; solo && i < solo->n_steps; i++)
        append_step(search, &solo->steps[i]);
}

static enum sm_search_want run(struct sm_search *search, struct sm_search_run *run,
                               enum sm_search_want want)
{
    *run = (struct sm_search_run){search->steps, search->n_steps, search->wanted, search->starves};
    search->starves = false;
    return want;
}

/* ---- steps ---- */

/* The step is more than a read in a loop that another thread is to end. */
static bool goes_on(struct sm_search *search, const struct sm_move *step)
{
    uint32_t at = search->machine.threads[step->thread].node;
    const struct sm_local *node = sm_local_at(at);
    uint64_t written;
    if (node->kind == SM_LOCAL_RMW)
        return sm_local_apply(node, step->answer, &written) && written != step->answer;
    return node->kind != SM_LOCAL_READ || sm_path_begins_turn(at);
}

static bool promise_needs(struct sm_search *search, const struct sm_move *read)
{
    for (uint32_t i = 0; i < search->futures.n && read->needs >> i; i++)
        if (read->needs >> i & 1 && !sm_machine_promise(&search->next, &search->futures.at[i]))
            return false;
    return true;
}

/* The step, from `next`. False: see sm_machine_go. */
static bool take(struct sm_search *search, const struct sm_move *step)
{
    struct sm_step_chain *chain = &search->chain;
    if (sm_search_is_oota())
        sm_search_note_late_write(search, step->thread);
    if (sm_machine_is_sc())
        sm_conflicts_next(&search->next, step, sm_search_note_conflict, search);
    else
        sm_conflicts_find(&search->next, step, sm_search_note_conflict, search);
    chain->at = sm_pool_room(chain->at, &chain->capacity, chain->n, sizeof *chain->at);
    chain->at[chain->n++] = *step;
    return sm_machine_go(&search->next, step);
}

static bool leads_back(uint32_t node, uint64_t answer)
{
    uint32_t child = sm_local_find(node, answer);
    return child && sm_local_at(child)->depth <= sm_local_at(node)->depth;
}

/* No race was seen at the location that it reads. */
static bool reads_quietly(struct sm_search *search, const struct sm_machine *machine,
                          uint32_t thread)
{
    uint64_t value;
    uint32_t node = machine->threads[thread].node;
    uint16_t loc = sm_local_at(node)->loc;
    if (!sm_machine_reads_one(machine, thread, &value) || search->raced_at[loc] ||
        leads_back(node, value))
        return false;
    search->quiet_at[loc] = true;
    return true;
}

/* The thread has one possible step, and whatever the others could do before it they can do after it
   (search.h). */
static bool is_independent(struct sm_search *search, const struct sm_machine *machine,
                           uint32_t thread)
{
    return machine->threads[thread].node &&
           (sm_machine_is_independent(machine, thread) || reads_quietly(search, machine, thread));
}

/* A thread with an independent step; SM_MACHINE_THREADS: none. */
static uint32_t find_independent(struct sm_search *search, const struct sm_machine *machine)
{
    uint32_t t = 0;
    while (t < SM_MACHINE_THREADS && !is_independent(search, machine, t))
        t++;
    return t;
}

static void keep_step(void *context, const struct sm_move *step)
{
    *(struct sm_move *)context = *step;
}

/* Takes all independent steps from `next`. */
static bool take_independent(struct sm_search *search)
{
    static const struct sm_futures none;
    for (uint32_t thread;
         (thread = find_independent(search, &search->next)) < SM_MACHINE_THREADS;) {
        struct sm_move step;
        sm_machine_ways(&search->next, thread, &none, keep_step, &step);
        if (!take(search, &step))
            return false;
        if (search->chain.n > SM_MOST_INDEPENDENT)
            break;
    }
    return true;
}

static void go(void *context, const struct sm_move *step)
{
    struct sm_search *search = context;
    uint32_t node = search->machine.threads[step->thread].node;
    search->moved = true;
    search->went |= 1u << step->thread;
    search->chain.n = search->chain.n_races = 0;
    sm_machine_copy(&search->next, &search->machine);
    if (!take(search, step) || !promise_needs(search, step))
        return;
    uint32_t child = search->next.threads[step->thread].node;
    if (!sm_machine_is_sc() && sm_idle_closes(node, child)) {
        search->waited |= 1u << step->thread;
        return;
    }
    search->advanced |= (uint32_t)(sm_local_at(child)->depth > sm_local_at(node)->depth)
                        << step->thread;
    if (!take_independent(search) || (!sm_search_is_oota() && sm_machine_is_broken(&search->next)))
        return;
    sm_machine_tidy(&search->next);
    uint32_t next = sm_states_add(&search->states, &search->next, search->number, search->chain.at,
                                  search->chain.n);
    sm_edges_add(&search->edges,
                 &(struct sm_edge){search->number, next, step->thread, goes_on(search, step)});
    sm_search_keep_races(search, next);
}

/* A single independent step is a persistent set. */
static bool go_independently(struct sm_search *search)
{
    uint32_t thread = find_independent(search, &search->machine);
    if (thread == SM_MACHINE_THREADS)
        return false;
    sm_machine_ways(&search->machine, thread, &search->futures, go, search);
    return true;
}

static void go_on(struct sm_search *search)
{
    sm_search_find_futures(search);
    for (uint32_t t = 0; t < SM_MACHINE_THREADS && !search->missed; t++)
        if (search->machine.threads[t].node) {
            sm_machine_races(&search->machine, t, sm_search_note_race, search);
            if (!sm_machine_ways(&search->machine, t, &search->futures, go, search))
                sm_search_ask_to_learn(search, t, NULL);
        }
}

/* ---- all together ---- */

static void resolve(struct sm_search *search)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        search->machine.threads[t].node = sm_local_resolve(search->machine.threads[t].node);
}

static enum sm_search_want look(struct sm_search *search)
{
    if (sm_search_is_beyond_bound(search))
        return SM_SEARCH_DONE;
    search->missed = search->moved = false;
    search->futures.n = search->went = search->advanced = search->waited = 0;
    resolve(search);
    if (!go_independently(search))
        go_on(search);
    if (search->missed) {
        sm_states_put_back(&search->states, &search->machine, search->number);
        return SM_SEARCH_LEARN;
    }
    sm_search_note_waiting(search);
    bool stays = sm_search_note_idle(search) == SM_STAYS && search->waited;
    enum sm_search_want failure =
        stays ? sm_search_look_for_livelock(search) : sm_search_look_for_failure(search);
    enum sm_search_want end = search->moved ? SM_SEARCH_DONE : sm_search_look_at_end(search);
    return failure != SM_SEARCH_DONE ? failure : end;
}

static bool begin_next_iteration(struct sm_search *search)
{
    if (!sm_option(prescient) || !sm_search_collect_writes(search))
        return false;
    begin_iteration(search);
    search->iterations++;
    return true;
}

enum sm_search_want sm_search_next(struct sm_search *search, struct sm_search_run *ask)
{
    for (;;) {
        if (sm_search_report_race(search))
            return run(search, ask, SM_SEARCH_RACES);
        if (search->was_wrong)
            begin_iteration(search);
        if (sm_states_take(&search->states, &search->machine, &search->number)) {
            enum sm_search_want want = look(search);
            if (want != SM_SEARCH_DONE)
                return run(search, ask, want);
            sm_explore_count(COST_OF_STATE);
            if (sm_control->explored.stop)
                return SM_SEARCH_DONE;
            continue;
        }
        if (sm_search_settle_doubts(search) || begin_next_iteration(search))
            continue;
        return run(search, ask, sm_search_look_for_hang(search));
    }
}

bool sm_search_grew(const struct sm_search *search)
{
    if (search->raced && sm_machine_was_forced())
        sm_seq_cst_want();
    return sm_seq_cst_grew();
}

void sm_search_publish(const struct sm_search *search)
{
    sm_control->executions = search->executions;
    sm_control->explored.blocked = search->blocked;
    sm_control->explored.iterations = search->iterations;
    sm_control->explored.states = search->states.n;
    sm_control->explored.writes = sm_search_is_oota() ? search->usable : search->writes.n;
    if (sm_certify_last()->cut || sm_machine_is_full())
        sm_control->explored.cut |= SM_CUT_BIT(ROOM);
    if (sm_seq_cst_is_cut())
        sm_control->explored.cut |= SM_CUT_BIT(FENCES);
    if (sm_machine_is_mixed())
        sm_control->explored.cut |= SM_CUT_BIT(MIXED);
}
