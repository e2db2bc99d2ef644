#include <string.h>

#include "base/mix.h"
#include "runtime/control.h"
#include "verify/explore.h"
#include "verify/states/idle.h"
#include "verify/states/search_parts.h"

void sm_search_add_end(struct sm_search *search)
{
    sm_numbers_add(&search->ends, search->number);
}

const struct sm_local *sm_search_first_at(struct sm_search *search, int kind, uint32_t *thread)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++) {
        uint32_t node = search->machine.threads[t].node;
        if (node && sm_local_at(node)->kind == kind) {
            *thread = t;
            return sm_local_at(node);
        }
    }
    return NULL;
}

/* ---- threads that wait in loops (idle.h) ---- */

static enum sm_stays both(enum sm_stays a, enum sm_stays b)
{
    if (a == SM_GOES_ON || b == SM_GOES_ON)
        return SM_GOES_ON;
    return a == SM_STAYS ? b : a;
}

/* Of these threads, and of those after an idle iteration. */
static enum sm_stays do_all_stay(struct sm_search *search, uint32_t threads)
{
    enum sm_stays all = SM_STAYS;
    for (uint32_t t = 0; t < SM_MACHINE_THREADS && all != SM_GOES_ON; t++) {
        uint32_t node = search->machine.threads[t].node;
        if (node && (threads >> t & 1 || sm_local_at(node)->kind == SM_LOCAL_IDLE))
            all = both(all, sm_idle_stays(&search->machine, t));
    }
    return all;
}

bool sm_search_has_stopped(struct sm_search *search)
{
    static const uint8_t kinds[] = {SM_LOCAL_EXIT, SM_LOCAL_FAIL, SM_LOCAL_ASSUME, SM_LOCAL_CUT};
    uint32_t thread;
    for (unsigned i = 0; i < sizeof kinds; i++)
        if (sm_search_first_at(search, kinds[i], &thread))
            return true;
    return false;
}

/* For look_for_hang: this state is not a dead end. */
enum sm_stays sm_search_note_idle(struct sm_search *search)
{
    bool busy = search->waited && (search->advanced & ~search->waited);
    enum sm_stays stays =
        busy ? SM_GOES_ON : do_all_stay(search, search->waited ? search->went : 0);
    if (stays != SM_STAYS || (search->waited && sm_search_has_stopped(search)))
        sm_search_add_end(search);
    if (stays == SM_STAYS_UNSURE)
        sm_control->explored.cut |= SM_CUT_BIT(WAITING);
    return stays;
}

/* ---- failures and ends ---- */

static uint64_t ending_key(struct sm_search *search)
{
    uint64_t key = sm_mix(0xbb67ae8584caa73bu, do_all_stay(search, 0));
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        key = sm_mix(key, search->machine.threads[t].node);
    return key;
}

/* Identifies where the waiting threads are. */
static uint64_t waiting_key(struct sm_search *search)
{
    uint64_t key = 0x3c6ef372fe94f82bu;
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++) {
        const struct sm_local *node = sm_local_at(search->machine.threads[t].node);
        key = sm_mix(key, sm_mix(node->kind, node->loc));
    }
    return key;
}

/* Moves the failing thread's last plain reads to the end: the others do not notice, and what it
   foresaw has happened by then. A crash comes directly after the last read. */
static void read_last(struct sm_search *search, uint32_t thread)
{
    uint32_t end = search->n_steps;
    for (uint32_t i = search->n_steps; i-- > 0;) {
        struct sm_move move = search->steps[i];
        if (move.thread != thread)
            continue;
        if (!move.plain_read)
            return;
        memmove(&search->steps[i], &search->steps[i + 1], (--end - i) * sizeof move);
        search->steps[end] = move;
    }
}

static enum sm_search_want witness(struct sm_search *search, uint32_t thread, uint64_t key)
{
    if (!sm_keys_add(&search->wrong, key))
        return SM_SEARCH_DONE;
    search->wanted = thread;
    sm_search_ask_for_path(search, search->number);
    read_last(search, thread);
    return SM_SEARCH_WITNESS;
}

/* A thread has failed, and no promise is open. */
enum sm_search_want sm_search_look_for_failure(struct sm_search *search)
{
    uint32_t thread = 0;
    const struct sm_local *failed = sm_search_first_at(search, SM_LOCAL_FAIL, &thread);
    if (!failed || sm_machine_owes(&search->machine, SM_NOBODY))
        return SM_SEARCH_DONE;
    return witness(search, thread, failed->value);
}

/* Each thread is blocked, or waits in a loop. */
enum sm_search_want sm_search_look_for_livelock(struct sm_search *search)
{
    if (search->hung || sm_search_has_stopped(search) ||
        sm_machine_owes(&search->machine, SM_NOBODY) || sm_machine_in_block(&search->machine))
        return sm_search_look_for_failure(search);
    search->hung = true;
    return witness(search, 0, waiting_key(search));
}

static bool has_everybody_ended(struct sm_search *search)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++) {
        uint32_t node = search->machine.threads[t].node;
        if (node && sm_local_at(node)->kind != SM_LOCAL_END)
            return false;
    }
    return true;
}

static enum sm_search_want end_of_program(struct sm_search *search, uint64_t status,
                                          uint32_t thread)
{
    search->executions++;
    if (status != sm_option(expect_exit))
        return witness(search, thread, sm_mix(0xa54ff53a5f1d36f1u, status));
    search->wanted = thread;
    sm_search_ask_for_path(search, search->number);
    return SM_SEARCH_OUTCOME;
}

/* Any thread that is about to end the program can be the first: one that fails is preferred. */
static const struct sm_local *first_exit(struct sm_search *search, uint32_t *thread)
{
    const struct sm_local *exit = sm_search_first_at(search, SM_LOCAL_EXIT, thread);
    for (uint32_t t = 0; t < SM_MACHINE_THREADS && exit && exit->value == sm_option(expect_exit);
         t++) {
        const struct sm_local *other = sm_local_at(search->machine.threads[t].node);
        if (other->kind != SM_LOCAL_EXIT || other->value == sm_option(expect_exit))
            continue;
        *thread = t;
        exit = other;
    }
    return exit;
}

enum sm_search_want sm_search_look_at_end(struct sm_search *search)
{
    uint32_t thread = 0;
    sm_search_add_end(search);
    sm_search_note_path(search);
    if (sm_machine_owes(&search->machine, SM_NOBODY) ||
        !sm_keys_add(&search->endings, ending_key(search)))
        return SM_SEARCH_DONE;
    if (sm_search_first_at(search, SM_LOCAL_FAIL, &thread)) {
        search->executions++;
        return SM_SEARCH_DONE;
    }
    const struct sm_local *cut = sm_search_first_at(search, SM_LOCAL_CUT, &thread);
    if (cut)
        sm_control->explored.cut |= (uint32_t)cut->value;
    if (cut || sm_search_first_at(search, SM_LOCAL_ASSUME, &thread)) {
        search->blocked++;
        return SM_SEARCH_DONE;
    }
    const struct sm_local *exit = first_exit(search, &thread);
    if (exit)
        return end_of_program(search, exit->value, thread);
    if (has_everybody_ended(search))
        return end_of_program(search, 0, 0);
    search->blocked++;
    if (do_all_stay(search, 0) != SM_STAYS)
        return SM_SEARCH_DONE;
    return sm_machine_in_block(&search->machine) ? SM_SEARCH_DONE
                                                 : witness(search, 0, waiting_key(search));
}
