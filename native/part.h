/*
 * part.h - accesses to some of the bytes of a granule.
 *
 * Most of them come one after the other in one epoch of one thread, until all eight bytes have
 * been accessed: text that is read byte by byte, words that are read unaligned. So on top of what
 * the cell says of all eight bytes there is room for one epoch's marks on some of them (struct
 * sm_part), and when those are on all of them they become the cell. Where the thread's next epoch
 * comes first, reads of the last one are kept beside it.
 *
 * Here is what needs no report and no second reader; what remains is shadow.c's. The part and
 * the cell are two words: a thread that is between them when another changes the granule's state
 * loses its mark, and sets it again before it releases (takeover.h).
 */
#ifndef SM_NATIVE_PART_H
#define SM_NATIVE_PART_H

#include "native/epoch.h"
#include "native/paths.h"

/* Always inlined: a function behind an inline check that calls an ordinary one must save all
   sixteen vector registers first, which took a sixth of zstd's time. */
#define SM_PART_INLINE static inline __attribute__((always_inline))

SM_PART_INLINE bool sm_part_has(struct sm_part part, uint32_t me, uint8_t mask, bool write)
{
    return part.epoch == me && !(mask & ~(write ? part.written : part.written | part.read));
}

SM_PART_INLINE uint32_t sm_part_older_epoch(struct sm_part part)
{
    return part.epoch - part.back;
}

/* Can these marks of another epoch give way to an access? If it has seen them, and leaves none,
   but for reads of its own thread not long ago. */
SM_PART_INLINE bool sm_part_gives_way(const struct sm_detect_thread *thread, struct sm_part part,
                                      uint32_t me, uint8_t mask, bool write)
{
    if ((part.written & ~(write ? mask : 0)) || (part.older & ~mask))
        return false;
    if (part.read & ~mask)
        return sm_same_block(part.epoch, me) && me - part.epoch <= UINT8_MAX;
    return !part.epoch || sm_has_seen(thread, part.epoch);
}

SM_PART_INLINE struct sm_part sm_part_with(struct sm_part part, uint32_t me, uint8_t mask,
                                           bool write)
{
    if (part.epoch != me)
        part = (struct sm_part){
            .epoch = me, .older = part.read & ~mask, .back = (uint8_t)(me - part.epoch)};
    if (write)
        part.written |= mask;
    else
        part.read |= mask;
    part.read &= (uint8_t)~part.written;
    part.older &= (uint8_t)~mask;
    return part;
}

SM_PART_INLINE bool sm_part_seen(const struct sm_detect_thread *thread, uint32_t epoch)
{
    return !epoch || (epoch != SM_CELL_MULTI && sm_has_seen(thread, epoch));
}

/* Half of a granule that is whole: is the other half likely to be next? So it is in memory that
   nobody has touched, and behind a granule that was gone through in this epoch. Otherwise the
   granule becomes two halves. */
SM_PART_INLINE bool sm_part_suits_half(const struct sm_cell *low, struct sm_cell seen)
{
    struct sm_cell before = sm_cell_load(low - 1);
    return !(seen.write | seen.read) || before.write == sm_own.epoch || before.read == sm_own.epoch;
}

enum sm_part_result { SM_PART_THERE, SM_PART_MARKED, SM_PART_NOT };

/* The marks are on all bytes: they are the cell's now. */
SM_PART_INLINE enum sm_part_result sm_part_complete(const struct sm_detect_thread *thread,
                                                    struct sm_cell *low, struct sm_cell base,
                                                    struct sm_part part)
{
    if (part.written)
        sm_cell_store(low, part.epoch, 0);
    else if (sm_part_seen(thread, base.read & SM_EPOCH_MASK))
        sm_cell_store(low, base.write, part.epoch);
    else
        return SM_PART_NOT;
    return SM_PART_MARKED;
}

/* An access of the running thread to the bytes in `mask` of the granule. `over`: the write mark
   that stood there before, and that it had seen. */
SM_PART_INLINE enum sm_part_result sm_part_mark(const struct sm_detect_thread *thread,
                                                uintptr_t addr, uint8_t mask, bool write,
                                                uint32_t *over)
{
    uint32_t me = sm_own.epoch;
    struct sm_cell *low = sm_cell_low(addr), base = sm_cell_load(low);
    struct sm_part *place = sm_cell_part(addr), part = {0};
    if (base.write & SM_CELL_HALF)
        return SM_PART_NOT;
    if (sm_cell_is_part(base)) {
        part = sm_part_load(place);
        if (sm_part_has(part, me, mask, write))
            return SM_PART_THERE;
        if (part.epoch != me && !sm_part_gives_way(thread, part, me, mask, write))
            return SM_PART_NOT;
    }
    /* Had it not seen the cell's marks, its first access would not be on top of them. */
    if (part.epoch != me && !sm_part_seen(thread, base.write))
        return SM_PART_NOT;
    if (write && !(part.epoch == me && part.written) &&
        !sm_part_seen(thread, base.read & SM_EPOCH_MASK))
        return SM_PART_NOT;
    *over = base.write;
    part = sm_part_with(part, me, mask, write);
    if (part.written == 0xff || part.read == 0xff)
        return sm_part_complete(thread, low, base, part);
    sm_part_store(place, part);
    if (!sm_cell_is_part(base) && !sm_cell_replace(low, base, base.write, base.read | SM_CELL_HALF))
        return SM_PART_NOT;
    return SM_PART_MARKED;
}

#endif
