#include "coherent.h"

#include "../choice.h"
#include "../control.h"
#include "../policy/policy.h"
#include "../sys.h"
#include "memory.h"

static bool is_lied_about(const struct sm_event *event)
{
    return event->flags & SM_RECORD_LIED;
}

/* ---- what a thread knows ---- */

static bool known_by_reading(const struct sm_store *store, const struct sm_clock *clock)
{
    for (uint32_t i = 0; i < store->n_readers; i++)
        if (store->readers[i].time <= sm_clock_get(clock, store->readers[i].thread))
            return true;
    return false;
}

/* The order of seq_cst operations puts the store before the event. */
static bool known_by_sc(const struct sm_store *store, const struct sm_event *event)
{
    if (event->order == SM_ORDER_SEQ_CST)
        return store->sc_number || sm_store_known(store, sm_hb_sc_fences());
    return store->sc_number && store->sc_number <= sm_hb_view(event->thread)->sc_fence;
}

static bool known(const struct sm_store *store, const struct sm_event *event)
{
    const struct sm_clock *clock = &sm_hb_view(event->thread)->coherent;
    return sm_store_known(store, clock) || known_by_reading(store, clock) ||
           known_by_sc(store, event);
}

/* Position of the last store that the thread must not go back behind; -1 if there is none. */
static int32_t bound(const struct sm_history *history, const struct sm_event *event)
{
    for (int32_t i = (int32_t)history->n; i-- > 0;)
        if ((history->stores[i].mask & sm_mask(event)) && known(&history->stores[i], event))
            return i;
    return -1;
}

/* ---- reading a prefix of the modification order ---- */

/* The bytes that the stores up to `position` leave behind, and the records they are from. */
static uint64_t compose(const struct sm_history *history, const struct sm_event *event,
                        uint32_t position, uint64_t rf[8])
{
    uint64_t value = 0;
    for (unsigned b = 0; b < event->size; b++) {
        unsigned byte = event->addr % 8 + b;
        rf[b] = SM_RF_INITIAL;
        for (int32_t i = (int32_t)position; i >= 0; i--) {
            const struct sm_store *store = &history->stores[i];
            if (!(store->mask >> byte & 1))
                continue;
            value |= (store->value >> 8 * byte & 0xff) << 8 * b;
            rf[b] = store->record;
            break;
        }
    }
    return value;
}

static bool followed_by_rmw(const struct sm_history *history, uint32_t position, uint8_t mask)
{
    for (uint32_t i = position + 1; i < history->n; i++)
        if (history->stores[i].mask & mask)
            return history->stores[i].is_rmw;
    return false;
}

/* A read-modify-write takes its place directly behind what it reads. A compare-exchange that
   fails is only a read. */
static bool may_take(const struct sm_history *history, const struct sm_event *event,
                     uint32_t position, uint64_t value)
{
    if (event->kind != SM_EV_RMW)
        return true;
    if (event->op == SM_OP_CAS && value != event->old)
        return true;
    return !followed_by_rmw(history, position, sm_mask(event));
}

static uint32_t collect(const struct sm_history *history, const struct sm_event *event,
                        bool only_newest, struct sm_candidate *candidates)
{
    int32_t low = bound(history, event);
    uint8_t mask = sm_mask(event);
    uint32_t n = 0;
    uint64_t rf[8];
    for (int32_t i = (int32_t)history->n; i-- > 0 && i >= low && n < SM_MAX_CANDIDATES;) {
        if (!(history->stores[i].mask & mask))
            continue;
        uint64_t value = compose(history, event, (uint32_t)i, rf);
        if (!may_take(history, event, (uint32_t)i, value))
            continue;
        candidates[n++] = (struct sm_candidate){(uint32_t)i, value};
        if (only_newest)
            break;
    }
    return n;
}

uint32_t sm_candidates_choose(struct sm_event *event, struct sm_history *history,
                              const struct sm_candidate *candidates, uint32_t n)
{
    uint64_t values[SM_MAX_CANDIDATES];
    uint8_t mask = sm_mask(event);
    for (uint32_t i = 0; i < n; i++)
        values[i] = candidates[i].value;
    struct sm_value_choice choice = {.event = event,
                                     .values = values,
                                     .n = n,
                                     .last_seen = history->last_read,
                                     .has_last = history->last_mask == mask};
    if (n > 1)
        sm_count(READ_CHOICE);
    uint32_t pick = sm_choose(SM_PURPOSE_VALUE, n, &choice);
    history->last_read = values[pick];
    history->last_mask = mask;
    if (pick) {
        event->flags |= SM_RECORD_STALE;
        sm_count(STALE_READ);
    }
    return pick;
}

/* Fills in what was read; returns its position. */
static uint32_t read_one(struct sm_event *event, struct sm_history *history, bool only_newest,
                         uint64_t *value)
{
    struct sm_candidate candidates[SM_MAX_CANDIDATES];
    uint32_t n = collect(history, event, only_newest, candidates);
    SM_ASSERT(n > 0);
    uint32_t position =
        candidates[sm_candidates_choose(event, history, candidates, n)].position;
    uint64_t rf[8];
    *value = compose(history, event, position, rf);
    sm_read_from(event, rf);
    struct sm_store *store = &history->stores[position];
    event->message_read = store->message;
    sm_store_read(store, event);
    return position;
}

void sm_coherent_load(struct sm_event *event)
{
    read_one(event, sm_history_at(event), !is_lied_about(event), &event->value);
}

/* ---- storing ---- */

/* Positions at which the store may go: behind all others first, then ever further down. */
static uint32_t choose_position(const struct sm_history *history, const struct sm_event *event)
{
    uint32_t positions[SM_MAX_CANDIDATES] = {history->n}, n = 1;
    int32_t low = bound(history, event);
    for (int32_t i = (int32_t)history->n; i-- > low + 1 && n < SM_MAX_CANDIDATES;) {
        const struct sm_store *store = &history->stores[i];
        if ((store->mask & sm_mask(event)) && !store->is_rmw)
            positions[n++] = (uint32_t)i;
    }
    return positions[sm_choose(SM_PURPOSE_ORDER, n, NULL)];
}

void sm_coherent_store(struct sm_event *event, bool may_reorder)
{
    struct sm_history *history = sm_history_at(event);
    bool choose = may_reorder && is_lied_about(event);
    sm_history_insert(history, event, choose ? choose_position(history, event) : history->n);
}

void sm_coherent_rmw(struct sm_event *event, bool may_reorder)
{
    struct sm_history *history = sm_history_at(event);
    bool only_newest = !may_reorder || !is_lied_about(event);
    uint64_t value;
    uint32_t position = read_one(event, history, only_newest, &value);
    if (sm_rmw_apply(event, value))
        sm_history_insert(history, event, position + 1);
}
