/*
 * slow.c - accesses that the quick path (quick.c) leaves: see slow.h.
 *
 * They are checked against the marks of the granule, and their own mark is added (marks.h). The
 * rest (races, granules with a record) goes to sm_check by way of sm_check_shell (shell.S), which
 * saves the registers that these functions may not use. So none of them may call an ordinary
 * function (the test races.registers checks this).
 */
#include "native/slow.h"

#include "abi/site.h"
#include "base/sys.h"
#include "native/kept.h"
#include "native/marks.h"
#include "native/quick.h"
#include "native/record.h"
#include "native/shadow.h"
#include "native/window.h"

SM_COLD_PATH void sm_check_shell(uintptr_t addr, const struct sm_site *site, uint64_t size,
                                 uint64_t kind);

/* Called by sm_check_shell with the program's registers saved. */
__attribute__((used)) void sm_check_registers(uintptr_t addr, const struct sm_site *site,
                                              uint64_t size, uint64_t kind)
{
    sm_check(addr, size, (unsigned)kind, site);
}

/* Is mostly held as long as a reread takes, by another reader. */
SM_MARKS_INLINE bool take_soon(uint32_t *lock)
{
    enum { REREAD_TRIES = 32 };
    for (unsigned i = 0; i < REREAD_TRIES; i++) {
        if (!__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE)) /* as sm_lock_word */
            return true;
        __builtin_ia32_pause();
    }
    return false;
}

/* Under the record's lock. */
SM_MARKS_INLINE enum sm_applied reread_record(struct sm_detect_thread *thread,
                                              struct sm_granule_record *record, uint8_t bytes)
{
    if (sm_kept_has(thread, (uint32_t)(record - sm_records), bytes))
        return SM_MARKS_THERE;
    struct sm_mark mark = {sm_own.epoch, bytes, 0, (uint16_t)thread->slot};
    struct sm_mark *own = sm_record_reread(record, mark);
    if (own)
        sm_kept_take(thread, record, own);
    return own ? SM_MARKS_CHANGED : SM_MARKS_OTHER;
}

/* A read of a granule with a record, if the thread keeps it, or the record's lock is soon free. The
   lock has no rank here: none is acquired under it, and the ranks are kept by ordinary functions.
   Signals are deferred, for a handler may access the same granule; one that was is left to
   sm_check. The second read in an epoch is cached in the cell, for the inline check. */
SM_COLD_PATH enum sm_applied sm_reread(struct sm_detect_thread *thread, uintptr_t addr,
                                       uint32_t size)
{
    struct sm_granule_record *record = sm_record_find(addr);
    uint8_t bytes = sm_byte_mask(addr, size);
    enum sm_applied applied = SM_MARKS_OTHER;
    if (!record || thread->busy)
        return SM_MARKS_OTHER;
    if (sm_kept_renew(thread, (uint32_t)(record - sm_records), bytes))
        return SM_MARKS_CHANGED;
    thread->busy = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (take_soon(&record->lock)) {
        if (record->granule == (addr & ~7ul))
            applied = reread_record(thread, record, bytes);
        if (applied != SM_MARKS_OTHER)
            sm_cell_cache(sm_cell_of(addr), thread->slot, sm_mark_of(sm_own.epoch, false, bytes));
        __atomic_store_n(&record->lock, 0, __ATOMIC_RELEASE); /* as sm_unlock_word */
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    thread->busy = false;
    return thread->deferred ? SM_MARKS_OTHER : applied;
}

SM_MARKS_INLINE enum sm_applied mark(uintptr_t addr, uint32_t size, bool write)
{
    struct sm_detect_thread *thread = sm_current;
    enum sm_applied applied = SM_MARKS_OTHER;
    bool outer;
    if (!SM_LIKELY(thread && !thread->ignored))
        return SM_MARKS_OTHER;
    if (SM_LIKELY(sm_marking_begin(thread, &outer))) {
        applied = sm_marks_access(thread, sm_mark_of(sm_own.epoch, write, sm_byte_mask(addr, size)),
                                  sm_cell_of(addr));
        if (applied == SM_MARKS_OTHER && !write)
            applied = sm_reread(thread, addr, size);
    }
    sm_marking_end(thread, outer);
    return applied;
}

/* The access lies within one granule. */
SM_COLD_PATH void sm_access_slowly(uintptr_t addr, uint32_t size, bool write,
                                   const struct sm_site *site)
{
    switch (mark(addr, size, write)) {
    case SM_MARKS_THERE:
        break;
    case SM_MARKS_CHANGED:
        sm_history_push(sm_own.history, SM_HISTORY_ACCESS, addr, site);
        break;
    case SM_MARKS_OTHER:
        sm_check_shell(addr, site, size, write ? SM_ACCESS_WRITE : 0);
        break;
    case SM_MARKS_CLAIMED:
        sm_access_again(addr, size, write, site);
        break;
    }
}

SM_COLD_PATH void sm_access_again(uintptr_t addr, uint32_t size, bool write,
                                  const struct sm_site *site)
{
    sm_check_shell(addr, site, size, (write ? SM_ACCESS_WRITE : 0) | SM_ACCESS_AGAIN);
}

/* ---- for the quick path ---- */

SM_COLD_PATH bool sm_lanes_seen(struct sm_detect_thread *thread, const struct sm_cell *cell,
                                unsigned lanes)
{
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        if (!sm_mark_seen(thread, __atomic_load_n(&cell->mark[lane], __ATOMIC_RELAXED)))
            return false;
    }
    return true;
}

SM_COLD_PATH unsigned sm_lane_free(struct sm_detect_thread *thread, const struct sm_cell *cell,
                                   uint32_t mine)
{
    uint32_t undominated = (~mine & SM_MARK_BYTES) | (~mine & SM_MARK_WRITE);
    for (unsigned lane = 1; lane < SM_MARKS; lane++) {
        uint32_t mark = __atomic_load_n(&cell->mark[lane], __ATOMIC_RELAXED);
        if ((!(mark & undominated) && sm_mark_seen(thread, mark)) || sm_mark_settled(mark))
            return lane;
    }
    return 0;
}
