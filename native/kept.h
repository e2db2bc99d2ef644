/*
 * kept.h - reads that their threads keep, where many threads read the same words in each epoch.
 *
 * The record of a granule (record.h) has the reads of all threads, so each thread's first read in
 * an epoch writes to cache lines that the other readers write, too: with 32 readers of a table that
 * took five times as long as under ThreadSanitizer. So a thread that reads the same bytes again and
 * again, while nobody writes them, moves its mark to a table of its own; in the next epochs it
 * changes only that. Who writes there, or drops the record, first collects the marks from the
 * tables, under the record's lock. A thread whose mark has been collected notices, because it
 * changes the mark by compare-exchange, and goes by the record. So nothing is lost.
 *
 * An entry has the epoch, the number of the record and the bytes. Only its thread sets it, under
 * the record's lock; it is emptied under that lock only. There is one entry for either half of a
 * granule, for structs whose fields are read one by one.
 */
#ifndef SM_NATIVE_KEPT_H
#define SM_NATIVE_KEPT_H

#include "native/epoch.h"
#include "native/paths.h"
#include "native/record.h"

#define SM_KEPT_INLINE static inline __attribute__((always_inline))

SM_KEPT_INLINE uint64_t sm_kept_entry(uint32_t number, uint32_t epoch, uint8_t bytes)
{
    return (uint64_t)epoch << 32 | number / (SM_KEPT_READS / 2) << 8 | bytes;
}
_Static_assert(SM_RECORDS / (SM_KEPT_READS / 2) <= 1u << 24,
               "the rest of a number, and eight bytes");

SM_KEPT_INLINE uint64_t *sm_kept_place(struct sm_detect_thread *thread, uint32_t number,
                                       uint8_t bytes)
{
    return &thread->kept[number % (SM_KEPT_READS / 2) * 2 + !(bytes & 0xf)];
}

/* The thread reads the bytes, in the current epoch: if it keeps a read of them of an earlier one,
   that is changed, without a lock. */
SM_KEPT_INLINE bool sm_kept_renew(struct sm_detect_thread *thread, uint32_t number, uint8_t bytes)
{
    uint64_t *place = sm_kept_place(thread, number, bytes);
    uint64_t entry = __atomic_load_n(place, __ATOMIC_RELAXED);
    uint64_t next = sm_kept_entry(number, sm_own.epoch, bytes);
    return (uint32_t)entry == (uint32_t)next && entry != next &&
           __atomic_compare_exchange_n(place, &entry, next, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

/* Does it keep a read of them of this epoch? */
SM_KEPT_INLINE bool sm_kept_has(struct sm_detect_thread *thread, uint32_t number, uint8_t bytes)
{
    return __atomic_load_n(sm_kept_place(thread, number, bytes), __ATOMIC_RELAXED) ==
           sm_kept_entry(number, sm_own.epoch, bytes);
}

/* Collecting costs a cache miss for each reader: so many rereads must have come before. */
enum { SM_KEPT_AFTER = 32 };

/* `own`: the thread's mark, which it has just renewed. Under the record's lock. */
SM_KEPT_INLINE void sm_kept_take(struct sm_detect_thread *thread, struct sm_granule_record *record,
                                 struct sm_mark *own)
{
    uint32_t number = (uint32_t)(record - sm_records);
    uint64_t *place = sm_kept_place(thread, number, own->mask);
    if (record->rereads < SM_KEPT_AFTER) {
        record->rereads++;
        return;
    }
    if (*place) /* of another granule */
        return;
    __atomic_store_n(place, sm_kept_entry(number, own->epoch, own->mask), __ATOMIC_RELAXED);
    record->keepers |= 1ul << thread->slot % 64;
    record->n_plain--;
    *own = record->marks[--record->n_marks];
}

/* The kept reads go back to the record. Under its lock. */
void sm_kept_collect(struct sm_granule_record *record);
/* The same for all that a thread keeps, at its end. */
void sm_kept_end(struct sm_detect_thread *thread);

#endif
