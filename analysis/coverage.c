/*
 * Coverage of an execution: which store each read saw, and in which order threads synchronised.
 *
 * A key is a pair of places in the program: of a store and of a read that saw it, or of a release
 * and of the acquire in another thread that synchronised with it. hunt makes trials until no new
 * keys appear (hunt/investigate.c). Of two executions with the same keys the second rarely shows
 * anything new; hashes of whole executions are nearly always new, and so useless.
 *
 * Keys are 31 bits of a hash: two of a thousand keys collide once in 4,000 executions, which costs
 * at most one trial that is not made.
 */
#include <string.h>

#include "abi/coverage.h"
#include "base/random.h"
#include "base/sys.h"
#include "base/table.h"
#include "core/edges.h"
#include "runtime/analysis.h"
#include "runtime/control.h"
#include "runtime/module.h"
#include "runtime/thread.h"

enum { STORES = 1 << 14, SEEN = 4 * SM_MAX_COVERED };

/* The newest stores, by the index of their record. For a read of an older one the place of the
   store is not known. */
static struct store_place {
    uint64_t index;
    uint64_t place;
} stores[STORES] SM_SELDOM;

struct release {
    uint64_t place;
    uint32_t thread;
};
static struct sm_table releases; /* address of an object -> its last struct release */

/* The keys of this execution: open addressing, 0 is free. */
static uint32_t seen[SEEN] SM_SELDOM;

/* A process forked for one execution finds the tables empty, and does not touch their pages. */
static bool is_used;

static bool start(void)
{
    if (!sm_option(coverage))
        return false;
    if (is_used) {
        sm_seldom_touch(stores, sizeof stores);
        sm_seldom_touch(seen, sizeof seen);
        memset(stores, 0, sizeof stores);
        memset(seen, 0, sizeof seen);
        sm_table_clear(&releases);
    }
    is_used = true;
    return true;
}

static uint64_t place_of(const struct sm_event *event)
{
    return event->site ? sm_site_number(event->site) + 1ul : event->pc;
}

/* False if it was seen before. */
static bool is_new(uint32_t key)
{
    uint32_t at = key % SEEN;
    while (seen[at] && seen[at] != key)
        at = (at + 1) % SEEN;
    bool fresh = !seen[at];
    if (fresh && sm_control->n_covered < SM_MAX_COVERED) {
        sm_seldom_touch(&seen[at], sizeof *seen);
        seen[at] = key;
    }
    return fresh;
}

static void cover(uint64_t first, uint64_t second, uint32_t sort)
{
    uint64_t hash = sm_random_mix(first * 0x9e3779b97f4a7c15u ^ sm_random_mix(second));
    uint32_t key = ((uint32_t)(hash >> 33) | 1) & ~SM_COVERED_ORDER;
    if (!is_new(key | sort))
        return;
    if (sm_control->n_covered < SM_MAX_COVERED)
        sm_control->covered[sm_control->n_covered++] = key | sort;
    else
        sm_control->covered_lost++;
}

static void on_write(const struct sm_event *event)
{
    struct store_place *store = &stores[event->index % STORES];
    sm_seldom_touch(store, sizeof *store);
    *store = (struct store_place){event->index, place_of(event)};
}

static void on_read(const struct sm_event *event)
{
    const struct store_place *store = &stores[event->rf % STORES];
    cover(store->index == event->rf ? store->place : 0, place_of(event), 0);
}

static void on_release(const struct sm_event *event)
{
    struct release **last = (struct release **)sm_table_at(&releases, event->addr);
    if (!*last)
        *last = sm_alloc(sizeof **last);
    **last = (struct release){place_of(event), event->thread->id};
}

static void on_acquire(const struct sm_event *event)
{
    const struct release *last = sm_table_get(&releases, event->addr);
    if (last && last->thread != event->thread->id)
        cover(last->place, place_of(event), SM_COVERED_ORDER);
}

static void on_event(const struct sm_event *event)
{
    switch (event->kind) {
    case SM_EV_LOAD:
    case SM_EV_ATOMIC_LOAD:
    case SM_EV_CAS_FAIL:
        on_read(event);
        return;
    case SM_EV_RMW:
        on_read(event);
        on_write(event);
        return;
    case SM_EV_STORE:
    case SM_EV_ATOMIC_STORE:
        on_write(event);
        return;
    default:
        break;
    }
    if (!event->addr)
        return;
    enum sm_hb edge = sm_hb_of(event->kind);
    if (edge == SM_HB_REL)
        on_release(event);
    else if (edge == SM_HB_ACQ || edge == SM_HB_ACQ_BOTH)
        on_acquire(event);
}

const struct sm_analysis sm_analysis_coverage = {
    .name = "coverage", .start = start, .event = on_event};
