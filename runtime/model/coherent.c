#include "runtime/model/coherent.h"

#include "base/sys.h"
#include "runtime/choice.h"
#include "runtime/control.h"
#include "runtime/model/memory.h"
#include "runtime/policy/policy.h"

static bool is_lied_about(const struct sm_event *event)
{
    return event->flags & SM_RECORD_LIED;
}

/* ---- coherence ---- */

static bool known_by_reading(const struct sm_past_store *store, const struct sm_clock *clock)
{
    for (uint32_t i = 0; i < store->n_readers; i++)
        if (store->readers[i].time <= sm_clock_get(clock, store->readers[i].thread))
            return true;
    return false;
}

/* The order of seq_cst operations places the store before the event. */
static bool known_by_sc(const struct sm_past_store *store, const struct sm_event *event)
{
    if (event->order == SM_ORDER_SEQ_CST)
        return store->sc_number || sm_store_known(store, sm_hb_sc_fences());
    return store->sc_number && store->sc_number <= sm_hb_view(event->thread)->sc_fence;
}

static bool known(const struct sm_past_store *store, const struct sm_event *event)
{
    const struct sm_clock *clock = &sm_hb_view(event->thread)->coherent;
    return sm_store_known(store, clock) || known_by_reading(store, clock) ||
           known_by_sc(store, event);
}

/* Position of the last store to any of the bytes of `mask` that coherence forces the thread to see;
   -1 if there is none. */
static int32_t bound(const struct sm_history *history, const struct sm_event *event, uint8_t mask)
{
    for (int32_t i = (int32_t)history->n; i-- > 0;)
        if ((history->stores[i].mask & mask) && known(&history->stores[i], event))
            return i;
    return -1;
}

/* ---- reading a prefix of the modification order ---- */

/* The newest store up to `position` that wrote the byte; NULL: it was dropped. */
static const struct sm_past_store *last_of_byte(const struct sm_history *history, uint32_t position,
                                                unsigned byte)
{
    for (int32_t i = (int32_t)position; i >= 0; i--)
        if (history->stores[i].mask >> byte & 1)
            return &history->stores[i];
    return NULL;
}

/* The bytes that the stores up to `position` leave, and their records. False if the history does
   not reach back far enough. */
static bool compose(const struct sm_history *history, const struct sm_event *event,
                    uint32_t position, uint64_t *value, uint64_t rf[8])
{
    *value = 0;
    for (unsigned b = 0; b < event->size; b++) {
        unsigned byte = event->addr % 8 + b;
        const struct sm_past_store *store = last_of_byte(history, position, byte);
        if (!store)
            return false;
        *value |= (store->value >> 8 * byte & 0xff) << 8 * b;
        rf[b] = store->record;
    }
    return true;
}

/* Where a read-modify-write that reads the store at `position` goes: directly after it, but not
   before any known store of the location (see choose_position). */
static uint32_t place_behind(const struct sm_history *history, const struct sm_event *event,
                             uint32_t position)
{
    int32_t low = bound(history, event, sm_history_location(history, event));
    return low > (int32_t)position ? (uint32_t)low + 1 : position + 1;
}

/* The next store of the same bytes must come later, and must not be a read-modify-write itself. */
static bool has_place_behind(const struct sm_history *history, const struct sm_event *event,
                             uint32_t position)
{
    uint32_t place = place_behind(history, event, position);
    for (uint32_t i = position + 1; i < history->n; i++)
        if (history->stores[i].mask & sm_mask(event))
            return i >= place && !history->stores[i].is_rmw;
    return true;
}

/* A read-modify-write is placed directly after the store it reads. A failing compare-exchange is
   only a read. */
static bool may_take(const struct sm_history *history, const struct sm_event *event,
                     uint32_t position, uint64_t value)
{
    if (event->kind != SM_EV_RMW)
        return true;
    if (event->op == SM_OP_CAS && value != event->old)
        return true;
    return has_place_behind(history, event, position);
}

static void collect(const struct sm_history *history, const struct sm_event *event,
                    bool only_newest, struct sm_ways *ways)
{
    uint8_t mask = sm_mask(event);
    int32_t low = bound(history, event, mask);
    uint64_t rf[8], value;
    for (int32_t i = (int32_t)history->n; i-- > 0 && i >= low && ways->n < SM_MAX_CANDIDATES;) {
        if (!(history->stores[i].mask & mask) ||
            !compose(history, event, (uint32_t)i, &value, rf) ||
            !may_take(history, event, (uint32_t)i, value))
            continue;
        ways->positions[ways->n] = (uint32_t)i;
        ways->values[ways->n++] = value;
        if (only_newest)
            break;
    }
}

uint32_t sm_ways_choose(struct sm_event *event, struct sm_history *history,
                        const struct sm_ways *ways)
{
    struct sm_patience *patience = sm_history_patience(history, event);
    struct sm_value_choice choice = {
        .event = event, .values = ways->values, .n = ways->n, .stale_run = patience->stale_run};
    choice.has_last = sm_history_last(history, event, &choice.last_seen);
    if (ways->n > 1)
        sm_count(READ_CHOICE);
    uint32_t pick = sm_choose(SM_PURPOSE_VALUE, ways->n, &choice);
    sm_history_gave(history, event, ways->values[pick]);
    if (ways->n > 1)
        patience->stale_run = pick ? patience->stale_run + 1 : 0;
    if (pick) {
        event->flags |= SM_RECORD_STALE;
        sm_count(STALE_READ);
    }
    return pick;
}

/* The message that an acquire load gets from the stores of its bytes: several if accesses of
   different sizes mix. */
static struct sm_message *message_of(struct sm_history *history, const struct sm_event *event,
                                     uint32_t position)
{
    struct sm_message *only = history->stores[position].message;
    bool mixed = false;
    for (unsigned b = 0; b < event->size; b++)
        mixed |= last_of_byte(history, position, event->addr % 8 + b)->message != only;
    if (!mixed)
        return only;
    sm_message_drop(history->joined);
    history->joined = sm_message_new();
    for (unsigned b = 0; b < event->size; b++)
        sm_message_add(history->joined,
                       last_of_byte(history, position, event->addr % 8 + b)->message);
    return history->joined;
}

/* Fills in what was read; returns its position. */
static uint32_t read_one(struct sm_event *event, struct sm_history *history, bool only_newest,
                         uint64_t *value)
{
    uint32_t positions[SM_MAX_CANDIDATES];
    uint64_t values[SM_MAX_CANDIDATES];
    struct sm_ways ways = {.positions = positions, .values = values};
    collect(history, event, only_newest, &ways);
    SM_ASSERT(ways.n > 0);
    uint32_t position = positions[sm_ways_choose(event, history, &ways)];
    uint64_t rf[8];
    compose(history, event, position, value, rf);
    sm_read_from(event, rf);
    event->message_read = message_of(history, event, position);
    sm_store_read(&history->stores[position], event);
    return position;
}

void sm_coherent_load(struct sm_event *event)
{
    read_one(event, sm_history_at(event), !is_lied_about(event), &event->value);
}

/* ---- storing ---- */

/* Positions at which the store may go: first after all others, then further down. It stays after
   every known store of the whole location, so that a wider load that sees it also sees everything
   that happens before it. */
static uint32_t choose_position(const struct sm_history *history, const struct sm_event *event)
{
    uint32_t positions[SM_MAX_CANDIDATES], n = 1;
    int32_t low = bound(history, event, sm_history_location(history, event));
    positions[0] = history->n;
    for (int32_t i = (int32_t)history->n; i-- > low + 1 && n < SM_MAX_CANDIDATES;) {
        const struct sm_past_store *store = &history->stores[i];
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
    if (sm_rmw_perform(event, value))
        sm_history_insert(history, event, place_behind(history, event, position));
}
