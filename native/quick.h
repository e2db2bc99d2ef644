/*
 * quick.h - how nearly all first accesses of an epoch change the marks of a granule.
 *
 * All four marks of a cell are compared together, and there are few branches: which lane the access
 * may take, and which marks must happen before it, depends on what the program did last. Lanes two
 * at a time with a branch for each took 1.1 to 1.3 times as long on programs with many locks.
 *
 * Unlike sm_marks_apply (marks.h) this path leaves all bytes to a mark that is dominated in part:
 * they still tell the truth, whoever has seen the access has seen them, and the next access that
 * dominates the rest removes them. SM_MARKS_OTHER for any other cell (no lane, a state, a race),
 * and while changes are to be exact.
 */
#ifndef SM_NATIVE_QUICK_H
#define SM_NATIVE_QUICK_H

#include "native/marks.h"

typedef uint32_t sm_lanes __attribute__((vector_size(16), may_alias));
typedef int32_t sm_signed_lanes __attribute__((vector_size(16)));
typedef float sm_float_lanes __attribute__((vector_size(16)));

SM_MARKS_INLINE sm_lanes sm_lanes_all(uint32_t value)
{
    return (sm_lanes){value, value, value, value};
}

/* One bit for each lane. */
SM_MARKS_INLINE unsigned sm_lanes_bits(sm_lanes lanes)
{
    return (unsigned)__builtin_ia32_movmskps((sm_float_lanes)lanes);
}

SM_MARKS_INLINE sm_lanes sm_lanes_zero(sm_lanes lanes)
{
    return (sm_lanes)(lanes == sm_lanes_all(0));
}

/* How a cell changes. */
struct sm_change {
    struct sm_cell from;
    uint32_t access; /* the mark of the access; 0: none yet */
    uint32_t mark;   /* stored in `lane` */
    unsigned lane;
    unsigned emptied; /* lanes, one bit each */
};

SM_MARKS_INLINE void sm_change_store(const struct sm_change *change, struct sm_cell *cell)
{
    __atomic_store_n(&cell->mark[change->lane], change->mark, __ATOMIC_RELAXED);
    for (unsigned left = change->emptied; left; left &= left - 1)
        __atomic_store_n(&cell->mark[__builtin_ctz(left)], 0, __ATOMIC_RELAXED);
}

/* The same access to another granule, without a release or an acquire in between: neighbours are
   mostly in the same state, and then change in the same way. OTHER: this one is not. */
SM_MARKS_INLINE enum sm_applied sm_marks_alike(const struct sm_change *last, uint32_t mine,
                                               struct sm_cell *cell)
{
    if (!last->access || last->access != mine)
        return SM_MARKS_OTHER;
    struct sm_cell seen = sm_cell_load(cell);
    bool alike = seen.half[0] == last->from.half[0] && seen.half[1] == last->from.half[1];
    if (!alike)
        return SM_MARKS_OTHER;
    sm_change_store(last, cell);
    return sm_is_claimed(cell) ? SM_MARKS_CLAIMED : SM_MARKS_CHANGED;
}

/* The marks that are not of the thread's run of epochs, as all bits of their lanes. A signed
   comparison, as SSE2 has no other: sm_own.before and sm_own.reach are shifted for that. */
SM_MARKS_INLINE sm_lanes sm_lanes_foreign(sm_lanes seen)
{
    sm_lanes ahead = seen - *(const sm_lanes *)&sm_own.before;
    return (sm_lanes)((sm_signed_lanes)ahead > *(const sm_signed_lanes *)&sm_own.reach);
}

/* Has the thread seen all these marks? They are read again: a newer one is no better. */
SM_COLD_PATH bool sm_lanes_seen(struct sm_detect_thread *thread, const struct sm_cell *cell,
                                unsigned lanes);
/* A lane whose mark may be overwritten by `mine`, though it is not one of the thread's run: no
   later access can race with it, or `mine` dominates it. 0: none. */
SM_COLD_PATH unsigned sm_lane_free(struct sm_detect_thread *thread, const struct sm_cell *cell,
                                   uint32_t mine);

/* `mine` is the mark of the access, in the running thread's current epoch. A mark of the same epoch
   and kind is merged with it. Else it takes the lane of a mark that it dominates, or an empty one;
   the first lane never, which may become a state (marks.h). Other lanes that it dominates are
   emptied. */
SM_MARKS_INLINE bool sm_marks_plan(struct sm_detect_thread *thread, uint32_t mine, bool write,
                                   const struct sm_cell *cell, struct sm_change *change)
{
    enum { SM_PLAIN_LANES = (1u << SM_MARKS) - 2 };
    const uint32_t kind = write ? 0 : SM_MARK_WRITE; /* what a read does not conflict with */
    sm_lanes seen = *(const volatile sm_lanes *)cell;
    if (sm_own.exact || seen[0] >= SM_MARK_STATES)
        return false;
    sm_lanes foreign = sm_lanes_foreign(seen);
    sm_lanes conflicts = seen & ((mine & SM_MARK_BYTES) | kind);
    conflicts = (sm_lanes)((sm_signed_lanes)conflicts > (int32_t)kind) & foreign;
    unsigned meets = sm_lanes_bits(conflicts);
    if (meets && !sm_lanes_seen(thread, cell, meets))
        return false;

    sm_lanes same = (seen ^ *(const sm_lanes *)&sm_own.all) & ~SM_MARK_BYTES;
    unsigned lanes = sm_lanes_bits((sm_lanes)(same == kind)) & SM_PLAIN_LANES, lane = 0;
    uint32_t mark = mine;
    if (lanes) {
        lane = (unsigned)__builtin_ctz(lanes);
        mark |= __atomic_load_n(&cell->mark[lane], __ATOMIC_RELAXED);
        if ((mark ^ mine) & ~SM_MARK_BYTES) /* another thread took the lane meanwhile */
            return false;
    }
    sm_lanes dominated = sm_lanes_zero(seen & ((~mark & SM_MARK_BYTES) | kind));
    dominated &= write ? ~foreign | conflicts : ~foreign;
    unsigned emptied = sm_lanes_bits(dominated) & SM_PLAIN_LANES;
    if (!lanes) {
        lanes = emptied | (sm_lanes_bits(sm_lanes_zero(seen)) & SM_PLAIN_LANES);
        lane = lanes >> sm_own.lane & 1 ? sm_own.lane : (unsigned)__builtin_ctz(lanes | 16);
        if (!lanes && !(lane = sm_lane_free(thread, cell, mine)))
            return false;
    }
    *change = (struct sm_change){{.half = {0}}, mine, mark, lane, emptied & ~(1u << lane)};
    *(sm_lanes *)&change->from = seen;
    return true;
}

SM_MARKS_INLINE enum sm_applied sm_marks_quick(struct sm_detect_thread *thread, uint32_t mine,
                                               bool write, struct sm_cell *cell,
                                               struct sm_change *change)
{
    if (!sm_marks_plan(thread, mine, write, cell, change))
        return SM_MARKS_OTHER;
    sm_change_store(change, cell);
    return sm_is_claimed(cell) ? SM_MARKS_CLAIMED : SM_MARKS_CHANGED;
}

#endif
