#include "runtime/model/history.h"

#include <string.h>

#include "base/sys.h"
#include "base/table.h"
#include "runtime/control.h"
#include "runtime/model/memory.h"
#include "runtime/thread.h"
#include "runtime/trace.h"

static struct sm_table histories; /* granule -> struct sm_history */

static void release_store(struct sm_past_store *store)
{
    sm_message_drop(store->message);
    sm_message_drop(store->view);
    if (store->readers)
        sm_free(store->readers, store->reader_capacity * sizeof *store->readers);
}

static void changed(struct sm_history *history)
{
    history->visible[0].view = history->visible[1].view = 0;
    history->piece_key = 0;
}

void sm_history_start(void)
{
    sm_table_clear(&histories);
}

void sm_history_forget(uintptr_t addr, size_t size)
{
    for (uintptr_t granule = addr / 8; granule * 8 < addr + size; granule++) {
        struct sm_history *history = sm_table_get(&histories, granule);
        if (!history)
            continue;
        for (uint32_t i = 0; i < history->n; i++)
            release_store(&history->stores[i]);
        history->n = 0;
        history->whole = 0;
        memset(history->tied, 0, sizeof history->tied);
        changed(history);
    }
}

static void remove_at(struct sm_history *history, uint32_t i)
{
    changed(history);
    release_store(&history->stores[i]);
    history->n--;
    memmove(&history->stores[i], &history->stores[i + 1],
            (history->n - i) * sizeof *history->stores);
}

static void put(struct sm_history *history, uint32_t position, const struct sm_past_store *store)
{
    if (history->n == history->capacity)
        history->stores =
            sm_alloc_larger(history->stores, &history->capacity, 4, sizeof *history->stores);
    changed(history);
    memmove(&history->stores[position + 1], &history->stores[position],
            (history->n - position) * sizeof *store);
    history->stores[position] = *store;
    history->n++;
    history->whole++;
    sm_count_most(LONGEST_WHOLE, history->whole);
}

/* ---- order ---- */

bool sm_store_before(const struct sm_past_store *a, const struct sm_past_store *b)
{
    return !a->view || (b->view && sm_store_known(a, &b->view->view.hb));
}

/* ---- compression ---- */

/* A later store of the same bytes hides store i from all threads that know `clock`. */
static bool hidden_from(const struct sm_history *history, uint32_t i, const struct sm_clock *clock)
{
    const struct sm_past_store *store = &history->stores[i];
    for (uint32_t j = i + 1; j < history->n; j++) {
        const struct sm_past_store *later = &history->stores[j];
        if ((store->mask & ~later->mask) == 0 && sm_store_before(store, later) &&
            sm_store_known(later, clock))
            return true;
    }
    return false;
}

static bool hidden_from_all(const struct sm_history *history, uint32_t i)
{
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (t->state != SM_THREAD_ENDED && t->hb_state &&
            !hidden_from(history, i, &sm_hb_view(t)->hb))
            return false;
    return true;
}

static bool repeated(const struct sm_past_store *old, const struct sm_past_store *new)
{
    return old->view && new->view && old->thread == new->thread && old->time == new->time &&
           old->mask == new->mask && old->value == new->value && !old->message && !new->message &&
           !old->n_readers;
}

static void collect_repeated(struct sm_history *history)
{
    const struct sm_past_store *newest = &history->stores[history->n - 1];
    for (uint32_t i = 0; i + 1 < history->n; i++) {
        if (!repeated(&history->stores[i], newest))
            continue;
        remove_at(history, i);
        sm_count(GC2);
        return; /* there can be only one: this is checked at each store */
    }
}

static void collect_hidden(struct sm_history *history)
{
    for (uint32_t i = 0; i + 1 < history->n;) {
        if (!hidden_from_all(history, i)) {
            i++;
            continue;
        }
        remove_at(history, i);
        sm_count(GC1);
    }
}

/* The oldest store whose bytes have all been overwritten: without it every byte still has a value.
   Any history of more than eight has one. */
static uint32_t oldest_replaceable(const struct sm_history *history)
{
    for (uint32_t i = 0; i < history->n; i++) {
        uint8_t later = 0;
        for (uint32_t j = i + 1; j < history->n; j++)
            later |= history->stores[j].mask;
        if ((history->stores[i].mask & ~later) == 0)
            return i;
    }
    return history->n;
}

/* GC1 examines every thread and every pair of stores; so it runs only when a history has grown by
   half since its last run. At every store it took half the time of a run of sor. */
enum { COLLECT_AT = 4 };

static void collect_hidden_at_times(struct sm_history *history)
{
    if (history->n <= COLLECT_AT || history->n < history->collect_at)
        return;
    collect_hidden(history);
    history->collect_at = history->n + history->n / 2;
}

static void compress(struct sm_history *history)
{
    collect_repeated(history);
    if (history->n > sm_option(history))
        history->collect_at = 0;
    collect_hidden_at_times(history);
    while (history->n > sm_option(history)) {
        uint32_t oldest = oldest_replaceable(history);
        if (oldest == history->n)
            break;
        remove_at(history, oldest);
        sm_count(REMOVE_OLDEST);
    }
    sm_count_most(LONGEST_HISTORY, history->n);
}

static uint64_t in_place(const struct sm_event *event, uint64_t value)
{
    return value << 8 * (event->addr % 8);
}

static uint64_t byte_mask(uint8_t mask)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t spread = mask * ones & 0x8040201008040201u; /* bit i of byte i */
    return ((spread + 0x7f * ones) >> 7 & ones) * 0xff;
}

bool sm_history_last(const struct sm_history *history, const struct sm_event *event,
                     uint64_t *value)
{
    uint8_t mask = sm_mask(event);
    *value = (history->last_read & byte_mask(mask)) >> 8 * (event->addr % 8);
    return !(mask & ~history->last_mask);
}

void sm_history_gave(struct sm_history *history, const struct sm_event *event, uint64_t value)
{
    uint64_t bits = byte_mask(sm_mask(event));
    history->last_read = (history->last_read & ~bits) | (in_place(event, value) & bits);
    history->last_mask |= sm_mask(event);
}

/* The newest values of the bytes of `mask`; `found`: those that have a store. */
static uint64_t newest_bytes(const struct sm_history *history, uint8_t mask, uint8_t *found)
{
    uint64_t value = 0;
    *found = 0;
    for (uint32_t i = history->n; i-- > 0 && *found != mask;) {
        uint8_t bytes = history->stores[i].mask & mask & (uint8_t)~*found;
        value |= history->stores[i].value & byte_mask(bytes);
        *found |= bytes;
    }
    return value;
}

/* Bytes without a store so far in this execution: memory holds their initial value. */
static void add_initial(struct sm_history *history, uint8_t mask, uint64_t memory)
{
    struct sm_past_store store = {
        .value = memory & byte_mask(mask), .record = SM_RF_INITIAL, .mask = mask};
    put(history, 0, &store);
}

/* Keeps only the newest store of each byte. */
static void drop_overwritten(struct sm_history *history)
{
    uint8_t later = 0;
    for (uint32_t i = history->n; i-- > 0;) {
        uint8_t mask = history->stores[i].mask;
        if ((mask & ~later) == 0)
            remove_at(history, i);
        later |= mask;
    }
}

/* The thread and the time of this store are not known: it may happen before any later read. So
   older stores of these bytes are no longer visible. */
static void add_external(struct sm_history *history, const struct sm_event *event, uint64_t memory)
{
    struct sm_past_store store = {
        .value = memory & byte_mask(sm_mask(event)),
        .record = sm_trace_external(event, memory >> 8 * (event->addr % 8)),
        .view = sm_message_keep(sm_hb_snapshot(event->thread)),
        .thread = event->thread->id,
        .time = sm_hb_time(event->thread),
        .mask = sm_mask(event),
    };
    put(history, history->n, &store);
    drop_overwritten(history);
}

/* ---- locations ---- */

/* An access that covers bytes of two locations merges them. The joint order of their stores may
   contradict happens-before, so overwritten ones are dropped: that removes stale values, once for
   each location. */
static void tie(struct sm_history *history, uint8_t mask)
{
    uint8_t all = mask;
    for (unsigned b = 0; b < 8; b++)
        if (mask >> b & 1)
            all |= history->tied[b];
    if (history->tied[__builtin_ctz(mask)] == all)
        return;
    bool merges = false;
    for (unsigned b = 0; b < 8; b++)
        if (all >> b & 1) {
            merges |= history->tied[b] && history->tied[b] != all;
            history->tied[b] = all;
        }
    if (merges)
        drop_overwritten(history);
}

uint8_t sm_history_location(const struct sm_history *history, const struct sm_event *event)
{
    return history->tied[event->addr % 8];
}

struct sm_patience *sm_history_patience(struct sm_history *history, const struct sm_event *event)
{
    for (uint32_t i = 0; i < history->n_patience; i++)
        if (history->patience[i].site == event->site &&
            history->patience[i].thread == event->thread->id)
            return &history->patience[i];
    if (history->n_patience == history->patience_capacity)
        history->patience = sm_alloc_larger(history->patience, &history->patience_capacity, 2,
                                            sizeof *history->patience);
    struct sm_patience *new = &history->patience[history->n_patience++];
    *new = (struct sm_patience){event->site, event->thread->id, 0};
    return new;
}

/* ---- access ---- */

struct sm_history *sm_history_at(const struct sm_event *event)
{
    /* Memory first: if it is not mapped, the program faults here as it would natively. */
    uint64_t memory = in_place(event, sm_memory_read(event->addr, event->size));
    struct sm_history **place = (struct sm_history **)sm_table_at(&histories, event->addr / 8);
    if (!*place) {
        *place = sm_alloc(sizeof **place);
        sm_count(HISTORY);
    }
    struct sm_history *history = *place;
    uint8_t mask = sm_mask(event), found;
    tie(history, mask);
    uint64_t known = newest_bytes(history, mask, &found);
    if (SM_UNLIKELY(known != (memory & byte_mask(found))))
        add_external(history, event, memory);
    else if (found != mask)
        add_initial(history, mask & (uint8_t)~found, memory);
    return history;
}

static void write_uncovered(const struct sm_history *history, const struct sm_event *event)
{
    uint8_t found;
    uint64_t value = newest_bytes(history, sm_mask(event), &found);
    sm_memory_write(event->addr, event->size, value >> 8 * (event->addr % 8));
}

void sm_history_insert(struct sm_history *history, const struct sm_event *event, uint32_t position)
{
    struct sm_past_store store = {
        .value = in_place(event, event->value),
        .record = sm_trace_next(),
        .message = sm_message_keep(event->message),
        .view = sm_hb_view_of_store(event),
        .thread = event->thread->id,
        .time = event->time,
        .mask = sm_mask(event),
        .sc_number = event->order == SM_ORDER_SEQ_CST ? sm_hb_sc_store() : 0,
        .is_rmw = event->kind == SM_EV_RMW,
        .is_atomic = event->order != SM_ORDER_PLAIN,
    };
    sm_count(HISTORY_STORE);
    put(history, position, &store);
    write_uncovered(history, event);
    if (position + 1 == history->n)
        compress(history);
}

void sm_store_read(struct sm_past_store *store, const struct sm_event *event)
{
    for (uint32_t i = 0; i < store->n_readers; i++)
        if (store->readers[i].thread == event->thread->id)
            return;
    if (store->n_readers == store->reader_capacity)
        store->readers =
            sm_alloc_larger(store->readers, &store->reader_capacity, 2, sizeof *store->readers);
    store->readers[store->n_readers++] = (struct sm_reader){event->thread->id, event->time};
}
