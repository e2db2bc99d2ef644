/*
 * marks.h - how an access changes the marks of a granule.
 *
 * The rules are FastTrack's, for each byte: a read must have seen the last write; a write must have
 * seen the last write and every read since. A mark goes where the access dominates it: the thread
 * has seen it, and whatever races with it races with the access (a write dominates all, a read
 * dominates reads). What remains of a mark keeps its other bytes.
 *
 * Always inlined: a function behind an inline check that calls an ordinary one must save all
 * sixteen vector registers first, which took a sixth of zstd's time. The cell is in two registers
 * throughout: marks that are stored one by one and loaded as halves wait for the stores.
 */
#ifndef SM_NATIVE_MARKS_H
#define SM_NATIVE_MARKS_H

#include "base/sys.h"
#include "native/claim.h"
#include "native/epoch.h"
#include "native/paths.h"

#define SM_MARKS_INLINE static inline __attribute__((always_inline))

enum sm_applied {
    SM_MARKS_THERE,   /* the access is covered */
    SM_MARKS_CHANGED, /* the cell has it now */
    SM_MARKS_OTHER,   /* a race, or no room: the record's (record.h) */
    SM_MARKS_CLAIMED, /* the cell had it, but may have lost it: to be made again (claim.h) */
};

SM_MARKS_INLINE uint32_t sm_cell_mark(const struct sm_cell *cell, unsigned lane)
{
    return (uint32_t)(cell->half[lane / 2] >> lane % 2 * 32);
}

/* Of a mark that is not empty. */
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

/* No access can race with it any more. */
SM_MARKS_INLINE bool sm_mark_settled(uint32_t mark)
{
    return sm_epoch_expand(sm_mark_epoch(mark)) <= __atomic_load_n(&sm_settled, __ATOMIC_RELAXED);
}

/* Both of one block of epochs, and so of one thread. */
SM_MARKS_INLINE bool sm_mark_same_block(uint32_t mark, uint32_t mine)
{
    return sm_mark_epoch(mark ^ mine) < SM_EPOCH_BLOCK;
}

/* Of the thread itself, or of one that had its slot and was joined. */
SM_MARKS_INLINE bool sm_mark_is_own(const struct sm_detect_thread *thread, uint32_t mark)
{
    return sm_epoch_slot(sm_epoch_expand(sm_mark_epoch(mark))) == thread->slot;
}

/* All four marks stand for something: those go that need not. Reads of other threads are looked up
   only here, for they can race with no read. */
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

/* SM_MARKS if there is no empty one. In the thread's own lane if it can be: see detect_paths.c,
   all_equal. */
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

/* `mine` is the mark of the access, of the running thread in its current epoch. The cell is in no
   state. */
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

/* The same in memory, at once. */
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

/* The states that most first accesses find: two lanes, the thread's own and its twin, have nothing
   but marks of this thread that the access dominates or extends, or a write of its that a read
   leaves; the other two have nothing, or for a read nothing but reads. (So may the twin.) A read
   beside the thread's own write goes to the twin. OTHER if it is another state.

   Where other threads have marks a read is renewed by an ordinary store: threads that read the same
   data after each lock would wait for the cell's line in a locked instruction. A write that comes
   between the load and the store, and that has seen the old mark but could not see the new one, is
   missed by this access; both marks stay, so the next access of either thread in another epoch
   finds the race. (Not in the twin: another thread's mark may come there, and would be lost.) */
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
    /* its write stays where this is a read; what it did to other bytes stays */
    if (old && (!sm_mark_same_block(old, mine) ||
                (!extends && (old & ~mine & (SM_MARK_WRITE | SM_MARK_BYTES)))))
        return SM_MARKS_OTHER;
    if (write ? twin && (!twin_is_own || (twin & ~mine & SM_MARK_BYTES))
              : (twin & SM_MARK_WRITE) && !twin_is_own)
        return SM_MARKS_OTHER;
    if (other & (write ? ~0ul : SM_MARK_WRITE * 0x100000001ul))
        return SM_MARKS_OTHER;
    if (old && !extends && lane == sm_own.lane && (other || (!write && twin && !twin_is_own))) {
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
