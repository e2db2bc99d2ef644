/*
 * paths.c - the functions behind the inline check: see paths.h.
 *
 * Mostly they handle the first access of its kind in an epoch (quick.h). Unlike the functions
 * behind them they may use vector registers, as they save those that they use. None may call an
 * ordinary function, for which all would be saved (the test races.registers checks this).
 */
#include "native/paths.h"

#include "abi/site.h"
#include "native/quick.h"
#include "native/slow.h"

SM_MARKS_INLINE enum sm_applied mark(uintptr_t addr, uint32_t size, bool write,
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

/* The quick path has not settled the access. */
SM_MARKS_INLINE void check_rest(enum sm_applied applied, uintptr_t addr, uint32_t size, bool write,
                                const struct sm_site *site)
{
    if (applied == SM_MARKS_CLAIMED)
        sm_access_again(addr, size, write, site);
    else
        sm_access_slowly(addr, size, write, site);
}

/* The access lies within one granule. */
SM_MARKS_INLINE void check(uintptr_t addr, uint32_t size, bool write, const struct sm_site *site)
{
    struct sm_change none = {.access = 0};
    enum sm_applied applied = mark(addr, size, write, &none);
    if (SM_LIKELY(applied == SM_MARKS_CHANGED))
        sm_history_push(sm_own.history, SM_HISTORY_ACCESS, addr, site);
    else
        check_rest(applied, addr, size, write, site);
}

#define PATH(kind, size, write)                                                                    \
    SM_COLD_PATH void sm_##kind##size(uintptr_t addr, const struct sm_site *site)                  \
    {                                                                                              \
        check(addr, size, write, site);                                                            \
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
        enum sm_applied applied = mark(addr + 8 * i, 8, write, &last);
        changed |= applied == SM_MARKS_CHANGED;
        if (SM_UNLIKELY(applied != SM_MARKS_CHANGED))
            check_rest(applied, addr + 8 * i, 8, write, words->sites[i]);
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
