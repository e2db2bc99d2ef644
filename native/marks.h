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
SM_MARKS_INLINE bool sm_mark_seen(const struct sm_detect_thread *thread, uint32_t mark)
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

/* Both epochs are of one block, and so of one thread. */
SM_MARKS_INLINE bool sm_mark_same_block(uint32_t mark, uint32_t mine)
{
    return sm_mark_epoch(mark ^ mine) < SM_EPOCH_BLOCK;
}

/* A mark of this thread, or of a joined thread that had its slot before. */
SM_MARKS_INLINE bool sm_mark_is_own(const struct sm_detect_thread *thread, uint32_t mark)
{
    return sm_epoch_slot(sm_epoch_expand(sm_mark_epoch(mark))) == thread->slot;
}

/* All four lanes are in use: drop marks that no later access can race with. Only here are reads of
   other threads compared with the clock, for a read cannot race with them. */
SM_MARKS_INLINE void sm_cell_collect(const struct sm_detect_thread *thread, uint32_t mine,
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

/* An empty lane, or SM_MARKS if there is none. The thread's own lane if that is empty: see
   detect_paths.c, all_equal. */
SM_MARKS_INLINE unsigned sm_cell_room(const struct sm_cell *cell)
{
    unsigned lane = sm_own.lane;
    uint64_t half = lane / 2 ? cell->half[1] : cell->half[0];
    if (!(uint32_t)(half >> lane % 2 * 32))
        return lane;
    for (lane = 0; lane < SM_MARKS && sm_cell_mark(cell, lane);)
        lane++;
    return lane;
}

SM_MARKS_INLINE bool sm_cell_add(const struct sm_detect_thread *thread, struct sm_cell *cell,
                                 uint32_t mine)
{
    unsigned lane = sm_cell_room(cell);
    if (!SM_LIKELY(lane < SM_MARKS)) {
        sm_cell_collect(thread, mine, cell);
        lane = sm_cell_room(cell);
    }
    if (lane < SM_MARKS)
        sm_cell_put(cell, lane, mine);
    return lane < SM_MARKS;
}

/* `mine` is the mark of the access, in the running thread's current epoch. The cell is not a state
   (cell.h). */
SM_MARKS_INLINE enum sm_applied sm_marks_apply(const struct sm_detect_thread *thread, uint32_t mine,
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
            if (sm_mark_same_block(mark, mine)) {
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

/* The same on the cell in memory, atomically. */
SM_MARKS_INLINE enum sm_applied sm_marks_access(const struct sm_detect_thread *thread,
                                                uint32_t mine, struct sm_cell *cell)
{
    struct sm_cell seen, next;
    do {
        next = seen = sm_cell_load(cell);
        if (sm_cell_mark(&seen, 0) >= SM_MARK_STATES)
            return SM_MARKS_OTHER;
        enum sm_applied applied = sm_marks_apply(thread, mine, &next);
        if (applied != SM_MARKS_CHANGED)
            return applied;
    } while (!sm_cell_replace(cell, seen, next));
    return sm_is_claimed(cell) ? SM_MARKS_CLAIMED : SM_MARKS_CHANGED;
}

/* The fast path for the cells that most first accesses of an epoch find: two lanes, the thread's
   own and its twin, hold only marks of this thread that the access dominates or extends, or a write
   of its own that a read leaves in place; the other two lanes are empty or, for a read, hold only
   reads. (So may the twin.) A read beside the thread's own write goes to the twin. OTHER for any
   other cell.

   Where other threads have marks, a read is renewed by an ordinary store: threads that read the
   same data after each lock would contend for the cell's cache line with a locked instruction. A
   write that comes between the load and the store, and that happens after the old mark but not
   after the new one, is missed by this access; both marks stay, so the next access of either thread
   in another epoch finds the race. (Not in the twin: the store could overwrite another thread's
   mark there. Not in the first lane: it could overwrite the state of a granule that has just got a
   record, and with it the clocks of an atomic or a lock.) */
SM_MARKS_INLINE enum sm_applied sm_marks_simple(uint32_t mine, struct sm_cell *cell)
{
    struct sm_cell seen = sm_cell_load(cell), next;
    unsigned lane = sm_own.lane;
    bool high = lane / 2, write = mine & SM_MARK_WRITE;
    uint64_t half = high ? seen.half[1] : seen.half[0], other = high ? seen.half[0] : seen.half[1];
    if (!write && (half >> lane % 2 * 32 & SM_MARK_WRITE))
        lane ^= 1;
    unsigned shift = lane % 2 * 32;
    uint32_t old = (uint32_t)(half >> shift), twin = (uint32_t)(half >> (shift ^ 32));
    bool extends = ((old ^ mine) & ~SM_MARK_BYTES) == 0;
    bool twin_is_own = sm_mark_same_block(twin, mine);
    /* not if it would drop the thread's own write, or bytes that the access does not cover */
    if (old && (!sm_mark_same_block(old, mine) ||
                (!extends && (old & ~mine & (SM_MARK_WRITE | SM_MARK_BYTES)))))
        return SM_MARKS_OTHER;
    if (write ? twin && (!twin_is_own || (twin & ~mine & SM_MARK_BYTES))
              : (twin & SM_MARK_WRITE) && !twin_is_own)
        return SM_MARKS_OTHER;
    if (other & (write ? ~0ul : SM_MARK_WRITE * 0x100000001ul))
        return SM_MARKS_OTHER;
    if (lane && old && !extends && lane == sm_own.lane &&
        (other || (!write && twin && !twin_is_own))) {
        __atomic_store_n(&cell->mark[lane], mine, __ATOMIC_RELAXED);
        return SM_MARKS_CHANGED;
    }
    half = (uint64_t)(extends ? old | mine : mine) << shift;
    half |= write ? 0 : (uint64_t)twin << (shift ^ 32);
    next.half[0] = high ? other : half;
    next.half[1] = high ? half : other;
    if (!sm_cell_replace(cell, seen, next))
        return SM_MARKS_OTHER;
    return sm_is_claimed(cell) ? SM_MARKS_CLAIMED : SM_MARKS_CHANGED;
}

#endif
