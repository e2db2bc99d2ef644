#include "base/mix.h"
#include "runtime/control.h"
#include "verify/explore.h"
#include "verify/pool.h"
#include "verify/states/search_parts.h"

/* ---- the write set ---- */

static uint64_t write_key(uint8_t thread, uint16_t loc, uint16_t nth, uint64_t value)
{
    return sm_mix(sm_mix(0x6a09e667f3bcc909u, value),
                  (uint64_t)thread << 32 | (uint64_t)loc << 16 | nth);
}

static uint64_t place_key(uint8_t thread, uint16_t loc)
{
    return sm_mix(0x510e527fade682d1u, (uint64_t)thread << 16 | loc);
}

void sm_search_note_racy(struct sm_search *search, uint16_t loc)
{
    search->raced_at[loc] = true;
    search->was_wrong |= search->quiet_at[loc];
}

void sm_search_note_race(void *context, const struct sm_written *write)
{
    struct sm_search *search = context;
    search->raced = true;
    sm_search_note_racy(search, write->loc);
    search->racing |= 1u << write->thread;
    sm_keys_add(&search->racy, write_key(write->thread, write->loc, write->nth, write->value));
    sm_keys_add(&search->races, place_key(write->thread, write->loc));
    sm_keys_add(&search->races, place_key(SM_NOBODY, write->loc));
}

bool sm_search_is_oota(void)
{
    return sm_option(model) == SM_MODEL_OOTA;
}

static void note_made(struct sm_search *search, const struct sm_future *write)
{
    uint64_t key = write_key(write->name.thread, write->loc, write->name.nth, write->value);
    if (!sm_keys_add(&search->made_keys, key))
        return;
    search->made =
        sm_pool_room(search->made, &search->made_capacity, search->n_made, sizeof *search->made);
    search->made[search->n_made++] = *write;
}

/* Records the writes on the path to this node. */
static void note_writes(struct sm_search *search, uint32_t child)
{
    for (uint32_t at; (at = sm_local_at(child)->parent); child = at) {
        const struct sm_local *node = sm_local_at(at);
        uint64_t value = node->value;
        bool made = node->kind == SM_LOCAL_WRITE ||
                    (node->kind == SM_LOCAL_RMW &&
                     sm_local_apply(node, sm_local_at(child)->answer, &value));
        if (made)
            note_made(search, &(struct sm_future){node->loc, {node->thread, node->nth}, value, 0});
    }
}

/* oota: as in JPR, from paths that end, even if a foreseen write was never made (PM's Figure 11).
   Paths that end early, because a write differs from the foreseen one, would justify each other for
   ever (tc9). */
void sm_search_note_path(struct sm_search *search)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS && sm_search_is_oota(); t++)
        if (search->machine.threads[t].node)
            note_writes(search, search->machine.threads[t].node);
}

bool sm_search_collect_writes(struct sm_search *search)
{
    search->promising = search->racing;
    bool grew = sm_keys_collect(&search->places, &search->races) || search->n_made > search->usable;
    search->usable = search->n_made;
    if (sm_search_is_oota())
        return grew && search->places.n;
    return sm_keys_collect(&search->writes, &search->racy);
}

/* oota: a race with an earlier read. The write may depend on the read, and so may never come before
   it. */
void sm_search_note_late_write(struct sm_search *search, uint32_t thread)
{
    const struct sm_local *node = sm_local_at(search->next.threads[thread].node);
    if (!sm_local_writes(node) || !sm_machine_was_read(&search->next, thread, node->loc))
        return;
    search->raced = true;
    search->racing |= 1u << thread;
    sm_keys_add(&search->races, place_key((uint8_t)thread, node->loc));
    sm_keys_add(&search->races, place_key(SM_NOBODY, node->loc));
}

/* ---- future writes ---- */

/* Another thread is about to read a location that this one may write. */
static bool is_awaited(struct sm_search *search, uint32_t writer)
{
    uint16_t loc;
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        if (t != writer && search->machine.threads[t].node &&
            sm_machine_reads_plainly(&search->machine, t, &loc) &&
            sm_keys_has(&search->places, place_key((uint8_t)writer, loc)))
            return true;
    return false;
}

static bool is_listed(struct sm_search *search, const struct sm_future *future)
{
    for (uint32_t i = 0; i < search->futures.n; i++) {
        const struct sm_future *other = &search->futures.at[i];
        if (other->loc == future->loc && other->value == future->value &&
            other->name.thread == future->name.thread && other->name.nth == future->name.nth &&
            (other->needs & ~future->needs) == 0)
            return true;
    }
    return false;
}

static bool may_be_foreseen(struct sm_search *search, const struct sm_future *write)
{
    return sm_keys_has(&search->writes,
                       write_key(write->name.thread, write->loc, write->name.nth, write->value));
}

static void add_future(struct sm_search *search, const struct sm_future *future)
{
    if (is_listed(search, future))
        return;
    if (search->futures.n == SM_MAX_FUTURES)
        sm_control->explored.cut |= SM_CUT_BIT(ROOM);
    else
        search->futures.at[search->futures.n++] = *future;
}

/* Adds what the thread can write running alone. */
static void find_certified(struct sm_search *search, uint32_t thread)
{
    const struct sm_solo *solo = sm_certify_last();
    if (!sm_certify(&search->machine, thread, &search->futures))
        sm_search_ask_to_learn(search, solo->unknown, solo);
    for (uint32_t i = 0; i < solo->n_writes && !search->missed; i++)
        if (may_be_foreseen(search, &solo->writes[i]))
            add_future(search, &solo->writes[i]);
}

static bool is_anybody_awaited(struct sm_search *search)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        if (is_awaited(search, t))
            return true;
    return is_awaited(search, SM_NOBODY);
}

/* The thread has made it, or another write in its place. */
static bool is_past(struct sm_search *search, const struct sm_future *write)
{
    uint32_t child = search->machine.threads[write->name.thread].node;
    while (child && sm_local_at(child)->parent) {
        uint32_t at = sm_local_at(child)->parent;
        const struct sm_local *node = sm_local_at(at);
        if (node->thread != write->name.thread)
            return false;
        if (sm_local_writes(node) && node->loc == write->loc && node->nth >= write->name.nth)
            return true;
        child = at;
    }
    return false;
}

/* oota: what some path writes, to locations with a race. */
static void find_uncertified(struct sm_search *search)
{
    for (uint32_t i = 0; i < search->usable; i++)
        if (sm_keys_has(&search->places, place_key(SM_NOBODY, search->made[i].loc)) &&
            !is_past(search, &search->made[i]))
            add_future(search, &search->made[i]);
}

/* Each round may read what the previous ones have certified. */
void sm_search_find_futures(struct sm_search *search)
{
    uint32_t before;
    if (!search->places.n || !is_anybody_awaited(search))
        return;
    if (sm_search_is_oota()) {
        find_uncertified(search);
        return;
    }
    do {
        before = search->futures.n;
        for (uint32_t t = 0; t < SM_MACHINE_THREADS && !search->missed; t++)
            if (search->promising >> t & 1 && search->machine.threads[t].node &&
                !sm_machine_has_stopped(&search->machine, t))
                find_certified(search, t);
    } while (search->futures.n > before && !search->missed);
}
