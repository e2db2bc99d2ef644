/*
 * shadow.c - see shadow.h and cell.h.
 *
 * marks.h handles what fits into four marks; races, and whatever does not fit, go to the record.
 */
#include "native/shadow.h"

#include "abi/site.h"
#include "base/sys.h"
#include "native/marks.h"
#include "native/record.h"
#include "native/signals.h"
#include "native/window.h"

struct piece { /* the part of an access that lies in one granule */
    struct sm_detect_thread *thread;
    const struct sm_site *site;
    uintptr_t addr;
    uint32_t size;
    unsigned kind;
};

static void note(const struct piece *piece)
{
    if (!(piece->kind & SM_ACCESS_RANGE))
        sm_history_add(piece->thread->history, SM_HISTORY_ACCESS, piece->addr, piece->site);
}

static bool is_write(const struct piece *piece)
{
    return piece->kind & SM_ACCESS_WRITE;
}

/* Caches the access in the cell, so that the inline check finds it in this epoch. Under the
   record's lock. Plain accesses only, since only those have inline checks. */
static void cache(const struct piece *piece, uint8_t bytes)
{
    if (!(piece->kind & SM_ACCESS_ATOMIC))
        sm_cell_cache(sm_cell_of(piece->addr), piece->thread->slot,
                      sm_mark_of(sm_own.epoch, is_write(piece), bytes));
}

/* The access is in the history before a race is reported: the other thread may be reporting one,
   too, and search for it. */
static void list_access(const struct piece *piece)
{
    struct sm_granule_record *record = sm_record_lock(piece->addr, false);
    uint8_t bytes = sm_byte_mask(piece->addr, piece->size);
    struct sm_mark mark =
        sm_mark_in_record(sm_own.epoch, bytes, piece->kind & (SM_ACCESS_WRITE | SM_ACCESS_ATOMIC));
    struct sm_collision found = {piece->addr, piece->size, piece->kind,  0,
                                 0,           piece->site, piece->thread};
    bool fresh = sm_record_access(record, piece->thread, mark, &found);
    bool fits = fresh && sm_record_fits_cell(record);
    cache(piece, bytes);
    sm_record_unlock(record);
    if (fits)
        sm_record_to_cell(piece->addr);
    if (fresh)
        note(piece);
    if (found.other_epoch)
        sm_race_shell(&found);
}

static void forget_listed(const struct piece *piece, uint8_t bytes)
{
    struct sm_granule_record *record = sm_record_lock(piece->addr, false);
    sm_record_forget(record, sm_mark_in_record(sm_own.epoch, bytes, is_write(piece)));
    sm_record_unlock(record);
}
_Static_assert(SM_ACCESS_WRITE == 1, "a kind");

/* Removes the mark that the access has set, once no claimant overwrites the cell any more. */
static void forget(const struct piece *piece, uint32_t mine)
{
    struct sm_cell *cell = sm_cell_of(piece->addr), seen, next;
    sm_claims_await(cell);
    do {
        next = seen = sm_cell_load(cell);
        if (sm_cell_mark(&seen, 0) == SM_MARK_LIST) {
            forget_listed(piece, mine & SM_MARK_BYTES);
            return;
        }
        for (unsigned i = 0; i < SM_MARKS; i++) {
            uint32_t mark = sm_cell_mark(&seen, i);
            if (((mark ^ mine) & ~SM_MARK_BYTES) == 0)
                sm_cell_cut(&next, i, mark, mine & SM_MARK_BYTES);
        }
    } while (!sm_cell_replace(cell, seen, next));
}

static enum sm_applied apply(const struct piece *piece)
{
    uint32_t mine =
        sm_mark_of(sm_own.epoch, is_write(piece), sm_byte_mask(piece->addr, piece->size));
    enum sm_applied applied = piece->kind & SM_ACCESS_AGAIN ? SM_MARKS_CLAIMED : SM_MARKS_THERE;
    do {
        if (applied == SM_MARKS_CLAIMED)
            forget(piece, mine);
        applied = sm_marks_access(piece->thread, mine, sm_cell_of(piece->addr));
    } while (applied == SM_MARKS_CLAIMED);
    return applied;
}

static void settle(const struct piece *piece)
{
    uint32_t state = sm_cell_state(sm_cell_of(piece->addr));
    if (state == SM_MARK_HEADER)
        return;
    bool atomic = piece->kind & SM_ACCESS_ATOMIC;
    bool listed = atomic || (state == SM_MARK_LIST && !(piece->kind & SM_ACCESS_AGAIN));
    enum sm_applied applied = listed ? SM_MARKS_OTHER : apply(piece);
    /* perhaps there is room once marks are dropped that every thread has seen */
    if (applied == SM_MARKS_OTHER && !atomic && sm_threads_settle(piece->thread) && !listed)
        applied = apply(piece);
    if (applied == SM_MARKS_CHANGED)
        note(piece);
    else if (applied == SM_MARKS_OTHER)
        list_access(piece);
}

void sm_check(uintptr_t addr, size_t size, unsigned kind, const struct sm_site *site)
{
    struct sm_detect_thread *thread = sm_current;
    bool outer;
    if (!thread || thread->busy || thread->ignored || !sm_marking_renew(thread))
        return;
    thread->busy = true;
    sm_marking_begin(thread, &outer);
    struct piece piece = {.thread = thread, .site = site, .kind = kind};
    for (uintptr_t end = addr + size; addr < end; addr += piece.size) {
        uintptr_t granule_end = (addr & ~7ul) + 8;
        piece.addr = addr;
        piece.size = (uint32_t)((granule_end < end ? granule_end : end) - addr);
        settle(&piece);
    }
    sm_marking_end(thread, outer);
    thread->busy = false;
    if (SM_UNLIKELY(thread->deferred))
        sm_signals_resend(thread);
}
