/*
 * hb: what the language leaves to the compiler (Jumble's READ rule).
 *
 * A plain load sees any store that has been executed and is not overwritten on a
 * happens-before path to the load: store i is visible unless a later store j of the same
 * bytes exists with i before j before the load. There is no coherence between plain loads:
 * two reads in a row may see a new value and then an old one. Plain values of 8 bytes come
 * in two halves that are chosen apart. Atomics, and volatile unless it counts as plain, are
 * coherent as in c11.
 */
#include <string.h>

#include "../control.h"
#include "../sys.h"
#include "coherent.h"
#include "memory.h"
#include "model.h"

static bool is_coherent(const struct sm_event *event)
{
    bool is_volatile =
        (event->flags & SM_RECORD_VOLATILE) && sm_option(volatile_as) != SM_VOLATILE_PLAIN;
    return event->order != SM_ORDER_PLAIN || is_volatile || !(event->flags & SM_RECORD_LIED);
}

/* ---- the READ rule ---- */

static bool is_hidden(const struct sm_history *history, uint32_t i, uint8_t bytes,
                      const struct sm_clock *clock)
{
    const struct sm_store *store = &history->stores[i];
    for (uint32_t j = i + 1; j < history->n; j++) {
        const struct sm_store *later = &history->stores[j];
        if ((later->mask & bytes) && sm_store_known(later, clock) && sm_store_before(store, later))
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

static uint64_t value_in(const struct sm_store *store, const struct sm_event *piece)
{
    uint64_t value = store->value >> 8 * (piece->addr % 8);
    return piece->size == 8 ? value : value & ((1ul << 8 * piece->size) - 1);
}

/* Sees one piece of a load, every store of which covers it whole. Returns the record. */
static uint64_t see_piece(struct sm_event *piece, struct sm_history *history)
{
    const struct sm_clock *clock = &sm_hb_view(piece->thread)->hb;
    struct sm_candidate candidates[SM_MAX_CANDIDATES];
    uint8_t mask = sm_mask(piece);
    uint32_t n = 0;
    for (uint32_t i = history->n; i-- > 0 && n < SM_MAX_CANDIDATES;) {
        const struct sm_store *store = &history->stores[i];
        if ((store->mask & mask) && !is_hidden(history, i, mask, clock))
            candidates[n++] = (struct sm_candidate){i, value_in(store, piece)};
    }
    SM_ASSERT(n > 0);
    uint32_t pick = sm_candidates_choose(piece, history, candidates, n);
    piece->value = candidates[pick].value;
    return history->stores[candidates[pick].position].record;
}

/* Pointers are whole, as references are in Java: no compiler for a 64-bit machine moves
   one in halves, and half a pointer breaks any program. */
static bool comes_in_halves(const struct sm_event *event)
{
    return event->size == 8 && !(event->site && (event->site->flags & SM_SITE_POINTER));
}

/* How much of the load is chosen at once: a half of 8 bytes, or all; single bytes where
   stores of other sizes have been. */
static unsigned piece_size(const struct sm_event *event, const struct sm_history *history)
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

static void plain_load(struct sm_event *event)
{
    struct sm_history *history = sm_history_at(event);
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

/* Where among the others a plain store stands matters only to coherent loads of the same
   bytes, which race with it; so it stands last. */
static void store(struct sm_event *event)
{
    sm_coherent_store(event, is_coherent(event));
}

static void rmw(struct sm_event *event)
{
    sm_coherent_rmw(event, true);
}

const struct sm_model sm_model_hb = {.name = "hb",
                                     .needs_hb = true,
                                     .start = sm_history_start,
                                     .point = sm_model_no_point,
                                     .switched = sm_model_no_switch,
                                     .load = load,
                                     .store = store,
                                     .rmw = rmw,
                                     .sync = sm_model_no_sync,
                                     .forget = sm_history_forget};
