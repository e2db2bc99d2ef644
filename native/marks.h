/*
 * marks.h - how an access changes the marks of a granule.
 *
 * The rules are FastTrack's, for each byte: the last write must happen before a read; the last
 * write and all reads since must happen before a write. A mark is removed once an access dominates
 * it: the mark happens before the access, and whatever races with the mark also races with the
 * access (a write dominates everything, a read dominates reads). A mark that is dominated for some
 * bytes keeps the others.
 *
 * Always inlined: a function behind an inline check must save all sixteen vector registers before
 * it calls an ordinary function, which took a sixth of zstd's time. The cell stays in two registers
 * throughout: loading a half right after storing single marks of it would stall on the stores.
 */
#ifndef SM_NATIVE_MARKS_H
#define SM_NATIVE_MARKS_H

#include "base/sys.h"
#include "native/claim.h"
#include "native/epoch.h"
#include "native/paths.h"
#include "native/window.h"

#define SM_MARKS_INLINE static inline __attribute__((always_inline))

enum sm_applied {
    SM_MARKS_THERE,   /* the cell already covers the access */
    SM_MARKS_CHANGED, /* the mark was added */
    SM_MARKS_OTHER,   /* a race, or no room: left to the record (record.h) */
    SM_MARKS_CLAIMED, /* the mark was added but may be lost: repeat the access (claim.h) */
};

SM_MARKS_INLINE uint32_t sm_cell_mark(const struct sm_cell *cell, unsigned lane)
{
    return (uint32_t)(cell->half[lane / 2] >> lane % 2 * 32);
}

/* Does the (non-empty) mark happen before what the thread does now? */
SM_MARKS_INLINE bool sm_mark_seen(struct sm_detect_thread *thread, uint32_t mark)
{
    return sm_has_seen(thread, sm_epoch_expand(sm_mark_epoch(mark)));
}

SM_MARKS_INLINE void sm_cell_cut(struct sm_cell *cell, unsigned lane, uint32_t mark, uint32_t bytes)
{
    uint32_t gone = mark & SM_MARK_BYTES & ~bytes ? bytes : ~0u;
    cell->half[lane / 2] &= ~((uint64_t)gone << lane % 2 * 32);
}

SM_MARKS_INLINE void sm_cell_put(struct sm_cell *cell, unsigned lane, uint32_t bits)
{
    uint64_t at = (uint64_t)bits << lane % 2 * 32;
    if (lane / 2)
        cell->half[1] |= at;
    else
        cell->half[0] |= at;
}

/* No later access can race with the mark. */
SM_MARKS_INLINE bool sm_mark_settled(uint32_t mark)
{
    return sm_epoch_is_settled(sm_epoch_expand(sm_mark_epoch(mark)));
}

/* Is the (non-empty) mark of the running thread's current run of epochs (epoch.h)? Then the thread,
   or a joined one that had its slot before, made the access. */
SM_MARKS_INLINE bool sm_mark_of_run(uint32_t mark)
{
    return mark - sm_own.first <= sm_cell_mark(&sm_own.all, 0) - sm_own.first;
}

/* A mark of this thread, or of a joined thread that had its slot before. */
SM_MARKS_INLINE bool sm_mark_is_own(const struct sm_detect_thread *thread, uint32_t mark)
{
    return sm_epoch_slot(sm_epoch_expand(sm_mark_epoch(mark))) == thread->slot;
}

/* All four lanes are in use: drop marks that no later access can race with. Only here are reads of
   other threads compared with the clock, for a read cannot race with them. */
SM_MARKS_INLINE void sm_cell_collect(struct sm_detect_thread *thread, uint32_t mine,
                                     struct sm_cell *cell)
{
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < SM_MARKS; i++) {
        uint32_t mark = sm_cell_mark(cell, i);
        if (sm_mark_settled(mark))
            sm_cell_cut(cell, i, mark, SM_MARK_BYTES);
        else if (!(mark & SM_MARK_WRITE) && (mark & mine & SM_MARK_BYTES) &&
                 sm_mark_seen(thread, mark))
            sm_cell_cut(cell, i, mark, mine & SM_MARK_BYTES);
    }
}

/* Removes the bytes of a mark that a later mark of the same thread dominates, and merges marks of
   the same epoch and kind (compact.c). A struct whose fields are accessed one by one, in many
   epochs, fills all lanes with marks of one thread: for SQLite this halves the accesses that need a
   record. */
SM_COLD_PATH void sm_cell_compact(struct sm_cell *cell);

/* An empty lane, or SM_MARKS if there is none. The thread's own lane if that is empty: see
   detect_paths.c, all_equal. The first one last: an ordinary store must not change it. */
SM_MARKS_INLINE unsigned sm_cell_room(const struct sm_cell *cell)
{
    if (!sm_cell_mark(cell, sm_own.lane))
        return sm_own.lane;
    for (unsigned lane = SM_MARKS - 1; lane > 0; lane--)
        if (!sm_cell_mark(cell, lane))
            return lane;
    return sm_cell_mark(cell, 0) ? SM_MARKS : 0;
}

SM_MARKS_INLINE bool sm_cell_add(struct sm_detect_thread *thread, struct sm_cell *cell,
                                 uint32_t mine)
{
    unsigned lane = sm_cell_room(cell);
    if (!SM_LIKELY(lane < SM_MARKS)) {
        sm_cell_collect(thread, mine, cell);
        lane = sm_cell_room(cell);
    }
    if (!SM_LIKELY(lane < SM_MARKS)) {
        struct sm_cell copy = *cell; /* the other one stays in registers */
        sm_cell_compact(&copy);
        *cell = copy;
        lane = sm_cell_room(cell);
    }
    if (lane < SM_MARKS)
        sm_cell_put(cell, lane, mine);
    return lane < SM_MARKS;
}

/* `mine` is the mark of the access, in the running thread's current epoch. The cell is not a state
   (cell.h). */
SM_MARKS_INLINE enum sm_applied sm_marks_apply(struct sm_detect_thread *thread, uint32_t mine,
                                               struct sm_cell *cell)
{
    uint32_t bytes = mine & SM_MARK_BYTES, write = mine & SM_MARK_WRITE;
    unsigned own = SM_MARKS;
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < SM_MARKS; i++) {
        uint32_t mark = sm_cell_mark(cell, i);
        bool dominates = write || !(mark & SM_MARK_WRITE);
        if (sm_mark_epoch(mark ^ mine) == 0) {
            if (!(mine & (write | bytes) & ~mark))
                return SM_MARKS_THERE;
            if (((mark ^ mine) & SM_MARK_WRITE) == 0)
                own = i;
            else if (write && (mark & bytes))
                sm_cell_cut(cell, i, mark, bytes);
        } else if (mark & bytes) {
            if (sm_mark_of_run(mark)) {
                if (dominates)
                    sm_cell_cut(cell, i, mark, bytes);
            } else if ((mark | mine) & SM_MARK_WRITE) {
                if (!sm_mark_seen(thread, mark))
                    return SM_MARKS_OTHER;
                if (dominates || sm_mark_settled(mark))
                    sm_cell_cut(cell, i, mark, bytes);
            } else if (sm_mark_is_own(thread, mark)) {
                sm_cell_cut(cell, i, mark, bytes);
            }
        }
    }
    if (own < SM_MARKS) {
        sm_cell_put(cell, own, bytes);
        return SM_MARKS_CHANGED;
    }
    return sm_cell_add(thread, cell, mine) ? SM_MARKS_CHANGED : SM_MARKS_OTHER;
}

/* ---- the cell in memory ----
 * A locked instruction keeps the processor from overlapping cache misses: with one for each first
 * access of an epoch sparse algebra took 1.6 times as long, a slab allocator 1.4 times, a
 * parser 1.3 times. So most cells are changed by ordinary stores. What can be lost:
 *
 *   Two threads access a granule at the same moment, and neither sees the mark of the other, which
 *   is still in a store buffer. Both marks stay in the cell: the next access of either thread in
 *   another epoch finds the race.
 *   Another thread changes the cell between our load and our store, some fifty instructions. Then
 *   one of the two marks may be lost.
 *
 * So a race can be missed if its two accesses are made within some 100 ns, or one of the threads is
 * stopped just there. Where threads are made to access a word at the same moment, up to 96% of the
 * first accesses miss (unit.detect_claims). That happens after a barrier and where threads start,
 * so a thread makes SM_EXACT_TOGETHER changes after each acquire that is not of a lock by locked
 * instructions, and its first SM_EXACT ones: programs that make few accesses, as most tests do,
 * lose nothing (half a millisecond).
 *
 * An ordinary store never writes a mark from before sm_marks_from: window.c may be removing it at
 * that moment, and it would come back as a mark of a later epoch. Nor does it write the first lane,
 * which may become a state at any time: with the state the clocks of an atomic or a lock would be
 * lost. Either would report false races. */

SM_MARKS_INLINE bool sm_lane_is_plain(const struct sm_cell *seen, const struct sm_cell *next,
                                      unsigned lane)
{
    uint32_t to = sm_cell_mark(next, lane);
    return to == sm_cell_mark(seen, lane) ||
           (lane && (!to || sm_epoch_expand(sm_mark_epoch(to)) >=
                                __atomic_load_n(&sm_marks_from, __ATOMIC_RELAXED)));
}

SM_MARKS_INLINE void sm_lane_store(struct sm_cell *cell, const struct sm_cell *seen,
                                   const struct sm_cell *next, unsigned lane)
{
    uint32_t to = sm_cell_mark(next, lane);
    if (to != sm_cell_mark(seen, lane))
        __atomic_store_n(&cell->mark[lane], to, __ATOMIC_RELAXED);
}

/* Is the running thread's next change to be made by a locked instruction? */
SM_MARKS_INLINE bool sm_is_exact(void)
{
    if (SM_LIKELY(!sm_own.exact))
        return false;
    sm_own.exact--;
    return true;
}

/* False if the cell is no longer as it was seen. */
SM_MARKS_INLINE bool sm_cell_change(struct sm_cell *cell, struct sm_cell seen, struct sm_cell next)
{
    bool plain = !sm_is_exact();
#pragma clang loop unroll(full)
    for (unsigned lane = 0; lane < SM_MARKS; lane++)
        plain = plain && sm_lane_is_plain(&seen, &next, lane);
    if (!SM_LIKELY(plain))
        return sm_cell_replace(cell, seen, next);
#pragma clang loop unroll(full)
    for (unsigned lane = 1; lane < SM_MARKS; lane++)
        sm_lane_store(cell, &seen, &next, lane);
    return true;
}

SM_MARKS_INLINE enum sm_applied sm_marks_access(struct sm_detect_thread *thread, uint32_t mine,
                                                struct sm_cell *cell)
{
    struct sm_cell seen, next;
    uint64_t claims;
    do {
        claims = sm_claims_load();
        next = seen = sm_cell_load(cell);
        if (sm_cell_mark(&seen, 0) >= SM_MARK_STATES)
            return SM_MARKS_OTHER;
        enum sm_applied applied = sm_marks_apply(thread, mine, &next);
        if (applied != SM_MARKS_CHANGED)
            return applied;
    } while (!sm_cell_change(cell, seen, next));
    return sm_was_claimed(cell, claims) ? SM_MARKS_CLAIMED : SM_MARKS_CHANGED;
}

/* The record's granule: the other marks of its cell are a cache for the inline check (cell.h).
   Under the record's lock. */
SM_MARKS_INLINE void sm_cell_cache(struct sm_cell *cell, uint32_t slot, uint32_t mine)
{
    uint32_t *place = &cell->mark[sm_lane_of(slot)];
    bool same = ((*place ^ mine) & ~SM_MARK_BYTES) == 0;
    __atomic_store_n(place, same ? *place | mine : mine, __ATOMIC_RELAXED);
}

#endif
