#include <string.h>

#include "runtime/control.h"
#include "verify/explore.h"
#include "verify/pool.h"
#include "verify/states/search_parts.h"

/* ---- hangs ---- */

static bool owes_nothing(struct sm_search *search, uint32_t number)
{
    int balance = 0;
    for (uint32_t i = number; search->states.all[i].parent != SM_NO_STATE;
         i = search->states.all[i].parent)
        for (uint32_t k = 0; k < search->states.all[i].n; k++)
            balance += search->states.steps[search->states.all[i].first + k].promise;
    return balance == 0;
}

/* A state from which no end can be reached, whatever the threads read: they wait for each other in
   loops. Only without open promises: what a promise rules out does not reach an end either. */
static uint32_t find_hang(struct sm_search *search)
{
    uint32_t n = search->states.n, found = SM_NO_STATE;
    uint8_t *ends = sm_edges_origins(&search->edges, search->states.n, &search->ends);
    for (uint32_t i = 0; i < n && found == SM_NO_STATE; i++)
        if (!ends[i] && owes_nothing(search, i))
            found = i;
    sm_pool_put(ends, n);
    return found;
}

/* ---- threads that wait for ever (model sc) ---- */

static bool may_wait(const struct sm_machine *machine, uint32_t thread)
{
    const struct sm_local *node = sm_local_at(machine->threads[thread].node);
    if (!machine->threads[thread].node || sm_machine_has_stopped(machine, thread))
        return false;
    if (node->kind != SM_LOCAL_OPERATE)
        return node->kind == SM_LOCAL_READ || node->kind == SM_LOCAL_RMW;
    return node->op == SM_DO_LOCK || node->op == SM_DO_SPIN || node->op == SM_DO_READ_LOCK ||
           node->op == SM_DO_WRITE_LOCK;
}

static void set_waiting(struct sm_search *search, uint16_t threads)
{
    search->waiting = sm_pool_room(search->waiting, &search->waiting_capacity, search->number,
                                   sizeof *search->waiting);
    search->waiting[search->number] = threads;
}

void sm_search_note_waiting(struct sm_search *search)
{
    uint16_t set = 0;
    uint32_t unused;
    if (!sm_machine_is_sc())
        return;
    /* The others may never end. */
    const struct sm_local *cut = sm_search_first_at(search, SM_LOCAL_CUT, &unused);
    if (cut)
        sm_control->explored.cut |= (uint32_t)cut->value;
    for (uint32_t t = 0; t < SM_MACHINE_THREADS && !sm_search_has_stopped(search); t++)
        set |= (uint16_t)(may_wait(&search->machine, t) << t);
    set_waiting(search, set);
}

/* Paths to the states of an endless program may be of any length. */
bool sm_search_is_beyond_bound(struct sm_search *search)
{
    if (!sm_machine_is_sc() || search->states.all[search->number].depth <= sm_option(bound))
        return false;
    sm_control->explored.cut |= SM_CUT_BIT(BOUND);
    set_waiting(search, 0);
    sm_search_add_end(search);
    return true;
}

/* A state from which the thread never goes on. */
static uint32_t find_waiting(struct sm_search *search, uint32_t thread)
{
    uint32_t n = search->states.n, found = SM_NO_STATE;
    struct sm_numbers goes = sm_numbers_new();
    for (uint32_t i = 0; i < n; i++)
        if (!(search->waiting[i] >> thread & 1))
            sm_numbers_add(&goes, i);
    for (uint32_t i = 0; i < search->edges.n; i++)
        if (search->edges.at[i].thread == thread && search->edges.at[i].goes_on)
            sm_numbers_add(&goes, search->edges.at[i].from);
    for (uint32_t i = 0; i < search->ends.n; i++)
        sm_numbers_add(&goes, search->ends.at[i]); /* judged there */
    uint8_t *reach = sm_edges_origins(&search->edges, n, &goes);
    for (uint32_t i = 0; i < n && found == SM_NO_STATE; i++)
        if (!reach[i])
            found = i;
    sm_pool_put(reach, n);
    sm_numbers_free(&goes);
    return found;
}

/* As many steps later as there are new states: other threads have ended, if they can. */
static uint32_t let_others_end(struct sm_search *search, uint32_t from)
{
    uint32_t n = search->states.n;
    uint8_t *seen = memset(sm_pool_get(n), 0, n);
    for (uint32_t i = 0, next = from; i < SM_MOST_INDEPENDENT && next != SM_NO_STATE; i++) {
        from = next;
        seen[from] = 1;
        next = sm_edges_next(&search->edges, from, seen);
    }
    sm_pool_put(seen, n);
    return from;
}

static enum sm_search_want look_for_waiting(struct sm_search *search)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++) {
        uint32_t number = find_waiting(search, t);
        if (number == SM_NO_STATE)
            continue;
        search->wanted = t;
        search->starves = true;
        sm_search_ask_for_path(search, let_others_end(search, number));
        return SM_SEARCH_WITNESS;
    }
    return SM_SEARCH_DONE;
}

/* Running for ever is one more execution. */
static void count_endless(struct sm_search *search)
{
    uint32_t n = search->states.n, endless = 0;
    uint8_t *ends = sm_edges_origins(&search->edges, search->states.n, &search->ends);
    for (uint32_t i = 0; i < n; i++)
        endless += !ends[i];
    sm_pool_put(ends, n);
    search->executions += endless > 0;
}

/* If steps were left out for lack of room, a state may falsely seem a dead end. */
enum sm_search_want sm_search_look_for_hang(struct sm_search *search)
{
    if (sm_machine_is_sc() && !search->hung && !sm_machine_is_full()) {
        search->hung = true;
        count_endless(search);
        return look_for_waiting(search);
    }
    uint32_t number = search->hung || sm_machine_is_full() ? SM_NO_STATE : find_hang(search);
    search->hung = true;
    if (number == SM_NO_STATE)
        return SM_SEARCH_DONE;
    search->wanted = 0;
    sm_search_ask_for_path(search, number);
    return SM_SEARCH_WITNESS;
}
