/*
 * paths.c - the slow paths behind the inline check: see paths.h.
 *
 * Mostly these handle the first access of its kind in an epoch: they check it against the marks of
 * the granule and add its own mark (marks.h). The rest (races, granules with a record) goes to
 * sm_check by way of sm_check_shell (shell.S), which saves the registers that these functions may
 * not use. So none of them may call an ordinary function (the test races.registers checks this).
 */
#include "native/paths.h"

#include "abi/site.h"
#include "base/sys.h"
#include "native/kept.h"
#include "native/marks.h"
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
SM_MARKS_INLINE enum sm_applied reread(struct sm_detect_thread *thread, uintptr_t addr,
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
            applied = reread(thread, addr, size);
    }
    sm_marking_end(thread, outer);
    return applied;
}

/* The kind for sm_check of an access that was not handled here. */
SM_MARKS_INLINE unsigned kind_of(enum sm_applied applied, bool write)
{
    return (write ? SM_ACCESS_WRITE : 0) | (applied == SM_MARKS_CLAIMED ? SM_ACCESS_AGAIN : 0);
}

/* The access lies within one granule. */
SM_MARKS_INLINE void check(uintptr_t addr, uint32_t size, bool write, const struct sm_site *site)
{
    enum sm_applied applied = mark(addr, size, write);
    switch (applied) {
    case SM_MARKS_THERE:
        break;
    case SM_MARKS_CHANGED:
        sm_history_push(sm_own.history, SM_HISTORY_ACCESS, addr, site);
        break;
    case SM_MARKS_OTHER:
    case SM_MARKS_CLAIMED:
        sm_check_shell(addr, site, size, kind_of(applied, write));
        break;
    }
}

/* In a function apart from the general path, because a function saves all registers that it uses.
 */
SM_MARKS_INLINE enum sm_applied mark_quickly(uintptr_t addr, uint32_t size, bool write,
                                             struct sm_change *last)
{
    struct sm_detect_thread *thread = sm_current;
    enum sm_applied applied = SM_MARKS_OTHER;
    bool outer;
    if (!SM_LIKELY(thread && !thread->ignored))
        return SM_MARKS_OTHER;
    if (SM_LIKELY(sm_marking_begin(thread, &outer))) {
        uint32_t mine = sm_mark_of(sm_own.epoch, write, sm_byte_mask(addr, size));
        applied = sm_marks_alike(last, mine, sm_cell_of(addr));
        if (applied == SM_MARKS_OTHER)
            applied = sm_marks_quick(thread, mine, write, sm_cell_of(addr), last);
    }
    sm_marking_end(thread, outer);
    return applied;
}

/* One function for all sizes: eight copies would fill most of the first-level cache. */
static SM_COLD_PATH __attribute__((noinline)) void other(uintptr_t addr, uint32_t size, bool write,
                                                         const struct sm_site *site)
{
    check(addr, size, write, site);
}

SM_MARKS_INLINE void check_quickly(uintptr_t addr, uint32_t size, bool write,
                                   const struct sm_site *site)
{
    struct sm_change none = {.access = 0};
    enum sm_applied applied = mark_quickly(addr, size, write, &none);
    if (SM_LIKELY(applied == SM_MARKS_CHANGED))
        sm_history_push(sm_own.history, SM_HISTORY_ACCESS, addr, site);
    else if (SM_LIKELY(applied == SM_MARKS_OTHER))
        other(addr, size, write, site);
    else
        sm_check_shell(addr, site, size, kind_of(applied, write));
}

#define PATH(kind, size, write)                                                                    \
    SM_COLD_PATH void sm_##kind##size(uintptr_t addr, const struct sm_site *site)                  \
    {                                                                                              \
        check_quickly(addr, size, write, site);                                                    \
    }
PATH(read, 1, false)
PATH(read, 2, false)
PATH(read, 4, false)
PATH(read, 8, false)
PATH(write, 1, true)
PATH(write, 2, true)
PATH(write, 4, true)
PATH(write, 8, true)

/* ---- several granules ---- */

SM_MARKS_INLINE void check_any(uintptr_t addr, uint32_t size, bool write,
                               const struct sm_site *site)
{
    for (uintptr_t end = addr + size, next; addr < end; addr = next) {
        next = (addr & ~7ul) + 8 < end ? (addr & ~7ul) + 8 : end;
        check(addr, (uint32_t)(next - addr), write, site);
    }
}

SM_COLD_PATH void sm_read16(uintptr_t addr, const struct sm_site *site)
{
    check_any(addr, 16, false, site);
}

SM_COLD_PATH void sm_write16(uintptr_t addr, const struct sm_site *site)
{
    check_any(addr, 16, true, site);
}

SM_COLD_PATH void sm_read_any(uintptr_t addr, const struct sm_site *site)
{
    check_any(addr, site->size, false, site);
}

SM_COLD_PATH void sm_write_any(uintptr_t addr, const struct sm_site *site)
{
    check_any(addr, site->size, true, site);
}

/* Neighbours: one history event for all that were marked here. */
SM_MARKS_INLINE void check_words(uintptr_t addr, bool write, const struct sm_words *words)
{
    bool changed = false;
    struct sm_change last = {.access = 0};
    for (uint64_t i = 0; i < words->n; i++) {
        enum sm_applied applied = mark_quickly(addr + 8 * i, 8, write, &last);
        if (applied == SM_MARKS_OTHER)
            applied = mark(addr + 8 * i, 8, write);
        changed |= applied == SM_MARKS_CHANGED;
        if (applied == SM_MARKS_OTHER || applied == SM_MARKS_CLAIMED)
            sm_check_shell(addr + 8 * i, words->sites[i], 8, kind_of(applied, write));
    }
    if (changed)
        sm_history_push_words(sm_own.history, addr, words);
}

SM_COLD_PATH void sm_read_words(uintptr_t addr, const struct sm_words *words)
{
    check_words(addr, false, words);
}

SM_COLD_PATH void sm_write_words(uintptr_t addr, const struct sm_words *words)
{
    check_words(addr, true, words);
}
