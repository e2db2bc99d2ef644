/*
 * hb: plain accesses as weak as the language allows (Jumble's READ rule).
 *
 * A plain load sees any store that has been executed and is not overwritten on a happens-before
 * path to the load: store i is visible unless a later store j of the same bytes exists with i
 * before j before the load. There is no coherence between plain loads: two reads in a row may see
 * a new value and then an old one. Of atomic stores, though, the mo-later one hides the other:
 * otherwise a counter to which threads add atomically would not have its sum in a plain read after
 * all were joined, which is not a race. Plain values of 8 bytes are read in two halves that are
 * chosen separately. Atomics, and volatile unless it counts as plain, are coherent as in c11.
 */
#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/model/coherent.h"
#include "runtime/model/memory.h"
#include "runtime/model/model.h"
#include "runtime/model/speculation.h"
#include "runtime/thread.h"

static bool is_coherent(const struct sm_event *event)
{
    bool is_volatile =
        (event->flags & SM_RECORD_VOLATILE) && sm_option(volatile_as) != SM_VOLATILE_PLAIN;
    return event->order != SM_ORDER_PLAIN || is_volatile || (event->flags & SM_RECORD_KEPT) ||
           !(event->flags & SM_RECORD_LIED);
}

/* ---- the READ rule ---- */

static bool is_hidden(const struct sm_history *history, uint32_t i, uint8_t bytes,
                      const struct sm_clock *clock)
{
    const struct sm_past_store *store = &history->stores[i];
    for (uint32_t j = i + 1; j < history->n; j++) {
        const struct sm_past_store *later = &history->stores[j];
        bool hides = sm_store_before(store, later) || (store->is_atomic && later->is_atomic);
        if ((later->mask & bytes) && sm_store_known(later, clock) && hides)
            return true;
    }
    return false;
}

static bool all_cover(const struct sm_history *history, uint8_t mask)
{
    for (uint32_t i = 0; i < history->n; i++)
        if ((history->stores[i].mask & mask) && (mask & ~history->stores[i].mask))
            return false;
    return true;
}

static uint64_t value_in(const struct sm_past_store *store, const struct sm_event *piece)
{
    uint64_t value = store->value >> 8 * (piece->addr % 8);
    return piece->size == 8 ? value : value & ((1ul << 8 * piece->size) - 1);
}

static void make_room(struct sm_ways *ways, uint32_t n)
{
    if (n <= ways->capacity)
        return;
    if (ways->capacity) {
        sm_free(ways->positions, ways->capacity * sizeof *ways->positions);
        sm_free(ways->values, ways->capacity * sizeof *ways->values);
    }
    ways->capacity = 2 * n;
    ways->positions = sm_alloc(ways->capacity * sizeof *ways->positions);
    ways->values = sm_alloc(ways->capacity * sizeof *ways->values);
}

static void find_visible(struct sm_ways *ways, const struct sm_event *piece,
                         const struct sm_history *history)
{
    const struct sm_clock *clock = &sm_hb_view(piece->thread)->hb;
    uint8_t mask = sm_mask(piece);
    uint32_t n = 0;
    make_room(ways, history->n);
    for (uint32_t i = history->n; i-- > 0 && n < SM_MAX_CANDIDATES;) {
        const struct sm_past_store *store = &history->stores[i];
        if (!(store->mask & mask) || is_hidden(history, i, mask, clock))
            continue;
        ways->positions[n] = i;
        ways->values[n++] = value_in(store, piece);
    }
    ways->n = n;
    ways->mask = mask;
    ways->view = sm_hb_version(piece->thread);
}

/* Cached: of two consecutive loads by one thread the second has the same alternatives. Without this
   a thread polling a variable with 32 visible stores took 0.6 us a load. */
static const struct sm_ways *visible(const struct sm_event *piece, struct sm_history *history)
{
    uint8_t mask = sm_mask(piece);
    struct sm_ways *ways = &history->visible[(mask & 0x0f) == 0];
    if (ways->view != sm_hb_version(piece->thread) || ways->mask != mask)
        find_visible(ways, piece, history);
    return ways;
}

/* Reads one piece of a load that every store covers completely. Returns the record. */
static uint64_t see_piece(struct sm_event *piece, struct sm_history *history)
{
    const struct sm_ways *ways = visible(piece, history);
    SM_ASSERT(ways->n > 0);
    uint32_t pick = sm_ways_choose(piece, history, ways);
    piece->value = ways->values[pick];
    return history->stores[ways->positions[pick]].record;
}

/* Pointers are not torn, as references are not in Java: no compiler for a 64-bit machine splits
   one, and half a pointer breaks any program. */
static bool comes_in_halves(const struct sm_event *event)
{
    return event->size == 8 && !(event->site && (event->site->flags & SM_SITE_POINTER));
}

/* How many bytes of the load are chosen at once: a half of 8 bytes, or all; single bytes if there
   were stores of other sizes. */
static unsigned find_piece_size(const struct sm_event *event, const struct sm_history *history)
{
    struct sm_event piece = *event;
    piece.size = comes_in_halves(event) ? 4 : event->size;
    for (unsigned at = 0; at < event->size; at += piece.size) {
        piece.addr = event->addr + at;
        if (!all_cover(history, sm_mask(&piece)))
            return 1;
    }
    return piece.size;
}

static unsigned piece_size(const struct sm_event *event, struct sm_history *history)
{
    uint16_t key = (uint16_t)(sm_mask(event) | comes_in_halves(event) << 8);
    if (history->piece_key != key) {
        history->piece = (uint8_t)find_piece_size(event, history);
        history->piece_key = key;
    }
    return history->piece;
}

/* ---- future values ---- */

/* The visible stores that cover all bytes of the load, newest first. */
static uint32_t visible_stores(const struct sm_event *load, const struct sm_history *history,
                               uint32_t *positions, uint32_t most)
{
    const struct sm_clock *clock = &sm_hb_view(load->thread)->hb;
    uint8_t mask = sm_mask(load);
    uint32_t n = 0;
    for (uint32_t i = history->n; i-- > 0 && n < most;)
        if (!(mask & ~history->stores[i].mask) && !is_hidden(history, i, mask, clock))
            positions[n++] = i;
    return n;
}

uint32_t sm_visible_values(const struct sm_event *load, uint64_t *values, uint32_t most)
{
    const struct sm_history *history = sm_history_at(load);
    uint32_t positions[SM_MAX_CANDIDATES];
    uint32_t n = visible_stores(load, history, positions,
                                most < SM_MAX_CANDIDATES ? most : SM_MAX_CANDIDATES);
    for (uint32_t i = 0; i < n; i++)
        values[i] = value_in(&history->stores[positions[i]], load);
    return n;
}

/* A foreseen value may have been stored by now; then the load reads from that store. */
static bool is_there(struct sm_event *load, const struct sm_history *history, uint64_t value)
{
    uint32_t positions[SM_MAX_CANDIDATES];
    uint32_t n = visible_stores(load, history, positions, SM_MAX_CANDIDATES);
    for (uint32_t i = 0; i < n; i++) {
        const struct sm_past_store *store = &history->stores[positions[i]];
        if (value_in(store, load) != value)
            continue;
        load->value = value;
        load->rf = store->record;
        if (value != sm_memory_read(load->addr, load->size)) {
            load->flags |= SM_RECORD_STALE;
            sm_count(STALE_READ);
        }
        return true;
    }
    return false;
}

static bool look_ahead(struct sm_event *load, struct sm_history *history)
{
    uint64_t value;
    if (!sm_foresee(load, &value))
        return false;
    if (!is_there(load, history, value))
        sm_speculation_add(load, value);
    sm_history_gave(history, load, value);
    return true;
}

static void plain_load(struct sm_event *event)
{
    struct sm_history *history = sm_history_at(event);
    sm_speculation_name(event);
    if (look_ahead(event, history))
        return;
    unsigned size = piece_size(event, history);
    uint64_t rf[8], value = 0;
    for (unsigned at = 0; at < event->size; at += size) {
        struct sm_event piece = *event;
        piece.addr = event->addr + at;
        piece.size = (uint8_t)size;
        uint64_t record = see_piece(&piece, history);
        event->flags |= piece.flags;
        value |= piece.value << 8 * at;
        for (unsigned b = at; b < at + size; b++)
            rf[b] = record;
    }
    event->value = value;
    sm_read_from(event, rf);
}

static void load(struct sm_event *event)
{
    if (is_coherent(event))
        sm_coherent_load(event);
    else
        plain_load(event);
}

/* The position of a plain store matters only to coherent loads of the same bytes, which race with
   it; so it comes last. */
static void store(struct sm_event *event)
{
    sm_coherent_store(event, is_coherent(event));
    sm_speculation_store(event);
}

static void rmw(struct sm_event *event)
{
    sm_coherent_rmw(event, true);
    if (event->kind == SM_EV_RMW)
        sm_speculation_store(event);
}

static void start(void)
{
    sm_history_start();
    sm_speculation_start();
}

/* Clocks change only by events other than plain accesses, which are followed by a scheduling point
   of their thread. */
static bool clocks_changed;

static void note_sync(struct sm_event *event)
{
    (void)event;
    clocks_changed = true;
}

static void point(struct sm_thread *self)
{
    if (SM_LIKELY(!sm_speculating()))
        return;
    if (!clocks_changed && self->state != SM_THREAD_BLOCKED)
        return;
    clocks_changed = false;
    sm_speculation_review();
}

static void forget(uintptr_t addr, size_t size)
{
    sm_speculation_forget(addr, size);
    sm_history_forget(addr, size);
}

/* The two differ in which future values are certified: hunt/certify.h. */
#define SM_MODEL_OF_HB                                                                             \
    {.needs_hb = true,                                                                             \
     .start = start,                                                                               \
     .point = point,                                                                               \
     .load = load,                                                                                 \
     .store = store,                                                                               \
     .rmw = rmw,                                                                                   \
     .sync = note_sync,                                                                            \
     .forget = forget}
const struct sm_model sm_model_hb = SM_MODEL_OF_HB;
const struct sm_model sm_model_oota = SM_MODEL_OF_HB;
