/*
 * paths.c - what stands behind an inline check that failed: see paths.h.
 *
 * Most of what comes here is settled in a few instructions: the marks that stand there are
 * the thread's own, or it has seen them. The rest (races, second readers, cells to be split)
 * goes to sm_check by way of sm_check_shell (shell.S), which saves the registers these
 * functions may not use.
 */
#include "paths.h"

#include "../abi/site.h"
#include "shadow.h"

SM_COLD_PATH void sm_check_shell(uintptr_t addr, const struct sm_site *site, uint64_t size,
                                 uint64_t kind);

/* Called by sm_check_shell with the program's registers saved. */
__attribute__((used)) void sm_check_registers(uintptr_t addr, const struct sm_site *site,
                                              uint64_t size, uint64_t kind)
{
    sm_check(addr, size, (unsigned)kind, site);
}

static inline bool seen_or_none(const struct sm_detect_thread *thread, uint32_t epoch)
{
    return !epoch || sm_has_seen(thread, epoch);
}

/* Can the marks in a cell be replaced without ado? Not if there are none: see cell.h. */
static inline bool may_take_over(const struct sm_detect_thread *thread, uint32_t write,
                                 uint32_t read)
{
    return (write | read) && !((write | read) & SM_CELL_HALF) && thread && !thread->ignored &&
           thread->takeovers->n < SM_TAKEOVERS && seen_or_none(thread, write) &&
           seen_or_none(thread, read);
}

static inline void note(struct sm_detect_thread *thread, uintptr_t addr, uint32_t size,
                        uint32_t over, const struct sm_site *site)
{
    struct sm_takeovers *list = thread->takeovers;
    list->noted[list->n++] = (struct sm_takeover){addr, {site}, size, 0, over};
}

/* One of several readers: its own entry is its to renew. It was one before, so it had seen
   the write, and there has been no other since, or there would be no readers. */
static inline bool renew_reader(struct sm_cell *cell, uint32_t me, uintptr_t addr,
                                const struct sm_site *site)
{
    uint32_t *reader = sm_own_reader(cell);
    if (!sm_same_block(*reader, me))
        return false;
    if (*reader != me) {
        __atomic_store_n(reader, me, __ATOMIC_RELAXED);
        sm_history_add(sm_own.history, SM_HISTORY_ACCESS, addr, site);
    }
    return true;
}

/* The thread's own marks of an earlier epoch are renewed without ado. */
static inline __attribute__((always_inline)) bool renew_read(struct sm_cell *cell, uint32_t flag,
                                                             uint32_t me, uintptr_t addr,
                                                             const struct sm_site *site)
{
    struct sm_cell seen = sm_cell_load(cell);
    uint32_t write = seen.write ^ flag, read = seen.read ^ flag;
    if (read == SM_CELL_MULTI)
        return renew_reader(cell, me, addr, site);
    if (!sm_same_block(read, me) && (read || !sm_same_block(write, me)))
        return false;
    if (read == me || write == me)
        return true;
    sm_cell_store_read(cell, me | flag);
    sm_history_add(sm_own.history, SM_HISTORY_ACCESS, addr, site);
    return true;
}

static inline __attribute__((always_inline)) bool renew_write(struct sm_cell *cell, uint32_t flag,
                                                              uint32_t me, uintptr_t addr,
                                                              const struct sm_site *site)
{
    struct sm_cell seen = sm_cell_load(cell);
    uint32_t write = seen.write ^ flag, read = seen.read ^ flag;
    if (!sm_same_block(write, me) || (read && !sm_same_block(read, me)))
        return false;
    if (write == me && !read)
        return true;
    sm_cell_store(cell, me | flag, flag);
    sm_history_add(sm_own.history, SM_HISTORY_ACCESS, addr, site);
    return true;
}

/* Marks of others are replaced if the thread has seen them, and that is noted. */
static inline __attribute__((always_inline)) bool take_read(struct sm_cell *cell, uint32_t flag,
                                                            uint32_t size, uintptr_t addr,
                                                            const struct sm_site *site)
{
    struct sm_detect_thread *thread = sm_current;
    struct sm_cell seen = sm_cell_load(cell);
    uint32_t write = seen.write ^ flag, read = seen.read ^ flag, me = sm_own.epoch;
    if (write == me || read == me)
        return true;
    if (read == SM_CELL_MULTI || !may_take_over(thread, write, read))
        return false;
    sm_cell_store_read(cell, me | flag);
    note(thread, addr, size, write, site);
    sm_history_add(sm_own.history, SM_HISTORY_ACCESS, addr, site);
    return true;
}

static inline __attribute__((always_inline)) bool take_write(struct sm_cell *cell, uint32_t flag,
                                                             uint32_t size, uintptr_t addr,
                                                             const struct sm_site *site)
{
    struct sm_detect_thread *thread = sm_current;
    struct sm_cell seen = sm_cell_load(cell);
    uint32_t write = seen.write ^ flag, read = seen.read ^ flag, me = sm_own.epoch;
    if (read == SM_CELL_MULTI || !may_take_over(thread, write, read))
        return false;
    sm_cell_store(cell, me | flag, flag);
    note(thread, addr, size, SM_TAKEOVER_WRITE, site);
    sm_history_add(sm_own.history, SM_HISTORY_ACCESS, addr, site);
    return true;
}

/* What needs more registers is apart: a function saves those it uses, all of them, first. */

static SM_COLD_PATH __attribute__((noinline)) void other_read8(uintptr_t addr,
                                                               const struct sm_site *site)
{
    if (!take_read(sm_cell_low(addr), 0, 8, addr, site))
        sm_check_shell(addr, site, 8, 0);
}

static SM_COLD_PATH __attribute__((noinline)) void other_write8(uintptr_t addr,
                                                                const struct sm_site *site)
{
    if (!take_write(sm_cell_low(addr), 0, 8, addr, site))
        sm_check_shell(addr, site, 8, SM_ACCESS_WRITE);
}

static SM_COLD_PATH __attribute__((noinline)) void other_read4(uintptr_t addr,
                                                               const struct sm_site *site)
{
    if (!take_read(sm_cell_half(addr), SM_CELL_HALF, 4, addr, site))
        sm_check_shell(addr, site, 4, 0);
}

static SM_COLD_PATH __attribute__((noinline)) void other_write4(uintptr_t addr,
                                                                const struct sm_site *site)
{
    if (!take_write(sm_cell_half(addr), SM_CELL_HALF, 4, addr, site))
        sm_check_shell(addr, site, 4, SM_ACCESS_WRITE);
}

SM_COLD_PATH void sm_read8(uintptr_t addr, const struct sm_site *site)
{
    if (!renew_read(sm_cell_low(addr), 0, sm_own.epoch, addr, site))
        other_read8(addr, site);
}

SM_COLD_PATH void sm_write8(uintptr_t addr, const struct sm_site *site)
{
    if (!renew_write(sm_cell_low(addr), 0, sm_own.epoch, addr, site))
        other_write8(addr, site);
}

/* The upper half's inline check looks at HIGH alone; the granule may be whole. */
static inline bool whole_read(uintptr_t addr, uint32_t me)
{
    struct sm_cell seen = sm_cell_load(sm_cell_low(addr));
    return seen.write == me || seen.read == me;
}

static inline bool whole_written(uintptr_t addr, uint32_t me)
{
    struct sm_cell seen = sm_cell_load(sm_cell_low(addr));
    return seen.write == me && !seen.read;
}

SM_COLD_PATH void sm_read4(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    if (!whole_read(addr, me) && !renew_read(sm_cell_half(addr), SM_CELL_HALF, me, addr, site))
        other_read4(addr, site);
}

SM_COLD_PATH void sm_write4(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    if (!whole_written(addr, me) && !renew_write(sm_cell_half(addr), SM_CELL_HALF, me, addr, site))
        other_write4(addr, site);
}

static inline bool in_bytes(uintptr_t addr)
{
    return sm_cell_load(sm_cell_low(addr)).write == SM_CELL_BYTES;
}

static inline __attribute__((always_inline)) bool read_byte(uintptr_t addr, uint32_t me,
                                                            const struct sm_site *site)
{
    struct sm_cell *cell = sm_cell_byte(addr);
    return renew_read(cell, 0, me, addr, site) || take_read(cell, 0, 1, addr, site);
}

static inline __attribute__((always_inline)) bool write_byte(uintptr_t addr, uint32_t me,
                                                             const struct sm_site *site)
{
    struct sm_cell *cell = sm_cell_byte(addr);
    return renew_write(cell, 0, me, addr, site) || take_write(cell, 0, 1, addr, site);
}

SM_COLD_PATH void sm_read1(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    if (!whole_read(addr, me) && !(in_bytes(addr) && read_byte(addr, me, site)))
        sm_check_shell(addr, site, 1, 0);
}

SM_COLD_PATH void sm_write1(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    if (!whole_written(addr, me) && !(in_bytes(addr) && write_byte(addr, me, site)))
        sm_check_shell(addr, site, 1, SM_ACCESS_WRITE);
}

SM_COLD_PATH void sm_read2(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    if (!whole_read(addr, me) &&
        !(in_bytes(addr) && read_byte(addr, me, site) && read_byte(addr + 1, me, site)))
        sm_check_shell(addr, site, 2, 0);
}

SM_COLD_PATH void sm_write2(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    if (!whole_written(addr, me) &&
        !(in_bytes(addr) && write_byte(addr, me, site) && write_byte(addr + 1, me, site)))
        sm_check_shell(addr, site, 2, SM_ACCESS_WRITE);
}

SM_COLD_PATH void sm_read16(uintptr_t addr, const struct sm_site *site)
{
    sm_read8(addr, site);
    sm_read8(addr + 8, site);
}

SM_COLD_PATH void sm_write16(uintptr_t addr, const struct sm_site *site)
{
    sm_write8(addr, site);
    sm_write8(addr + 8, site);
}

/* ---- neighbours ----
 * Cells that can be renewed or taken over are, and the history and the list of takeovers get
 * one entry for all; the others are looked at one by one, as accesses of their own. */

enum { CHANGED = 1, TAKEN = 2 };

static inline __attribute__((always_inline)) bool read_word(struct sm_cell *cell, uint32_t me,
                                                            const struct sm_detect_thread *thread,
                                                            unsigned *done, uint32_t *over)
{
    struct sm_cell seen = sm_cell_load(cell);
    if (seen.read == me || seen.write == me)
        return true;
    if (seen.read == SM_CELL_MULTI) {
        uint32_t *reader = sm_own_reader(cell);
        if (!sm_same_block(*reader, me))
            return false;
        if (*reader != me)
            *done |= CHANGED;
        __atomic_store_n(reader, me, __ATOMIC_RELAXED);
        return true;
    }
    if (!sm_same_block(seen.read, me) && (seen.read || !sm_same_block(seen.write, me))) {
        if (!may_take_over(thread, seen.write, seen.read))
            return false;
        *done |= TAKEN;
        *over = seen.write;
    }
    *done |= CHANGED;
    sm_cell_store_read(cell, me);
    return true;
}

static inline __attribute__((always_inline)) bool
write_word(struct sm_cell *cell, uint32_t me, const struct sm_detect_thread *thread, unsigned *done)
{
    struct sm_cell seen = sm_cell_load(cell);
    if (seen.write == me && !seen.read)
        return true;
    if (!sm_same_block(seen.write, me) || (seen.read && !sm_same_block(seen.read, me))) {
        if (seen.read == SM_CELL_MULTI || !may_take_over(thread, seen.write, seen.read))
            return false;
        *done |= TAKEN;
    }
    *done |= CHANGED;
    sm_cell_store(cell, me, 0);
    return true;
}

static inline __attribute__((always_inline)) void note_words(struct sm_detect_thread *thread,
                                                             uintptr_t addr,
                                                             const struct sm_words *words,
                                                             uint32_t over, unsigned done)
{
    if (done & TAKEN) {
        struct sm_takeovers *list = thread->takeovers;
        list->noted[list->n++] = (struct sm_takeover){
            .addr = addr, .words = words, .step = SM_TAKEOVER_WORDS, .over = over};
    }
    if (done & CHANGED)
        sm_history_add_words(sm_own.history, addr, words);
}

/* Is there room on the list for each by itself and for all? If not, each by itself makes it. */
static inline bool has_room(const struct sm_detect_thread *thread)
{
    return thread && !thread->ignored && thread->takeovers->n < SM_TAKEOVERS - SM_WORDS_MAX;
}

static SM_COLD_PATH __attribute__((noinline)) void other_read_words(uintptr_t addr,
                                                                    const struct sm_words *words)
{
    struct sm_detect_thread *thread = sm_current;
    uint32_t over = 0;
    unsigned done = 0;
    for (uint64_t i = 0; i < words->n; i++) {
        uintptr_t at = addr + 8 * i;
        if (!has_room(thread) || !read_word(sm_cell_low(at), sm_own.epoch, thread, &done, &over))
            sm_check_shell(at, words->sites[i], 8, 0);
    }
    note_words(thread, addr, words, over, done);
}

static SM_COLD_PATH __attribute__((noinline)) void other_write_words(uintptr_t addr,
                                                                     const struct sm_words *words)
{
    struct sm_detect_thread *thread = sm_current;
    unsigned done = 0;
    for (uint64_t i = 0; i < words->n; i++) {
        uintptr_t at = addr + 8 * i;
        if (!has_room(thread) || !write_word(sm_cell_low(at), sm_own.epoch, thread, &done))
            sm_check_shell(at, words->sites[i], 8, SM_ACCESS_WRITE);
    }
    note_words(thread, addr, words, SM_TAKEOVER_WRITE, done);
}

/* All of them read by this thread alone: then its marks are renewed. */
SM_COLD_PATH void sm_read_words(uintptr_t addr, const struct sm_words *words)
{
    struct sm_cell *cell = sm_cell_low(addr), *end = cell + words->n;
    uint32_t me = sm_own.epoch, difference = 0;
#pragma clang loop unroll(disable) /* registers to be saved cost more */
    for (struct sm_cell *at = cell; at < end; at++)
        difference |= __atomic_load_n(&at->read, __ATOMIC_RELAXED) ^ me;
    if (difference >= SM_EPOCH_BLOCK) {
        other_read_words(addr, words);
        return;
    }
#pragma clang loop unroll(disable)
    for (; cell < end; cell++)
        sm_cell_store_read(cell, me);
    sm_history_add_words(sm_own.history, addr, words);
}

/* All of them written by this thread last, and read by nobody since. */
SM_COLD_PATH void sm_write_words(uintptr_t addr, const struct sm_words *words)
{
    struct sm_cell *cell = sm_cell_low(addr), *end = cell + words->n;
    uint64_t me = sm_own.epoch, difference = 0;
#pragma clang loop unroll(disable)
    for (struct sm_cell *at = cell; at < end; at++)
        difference |= __atomic_load_n((const uint64_t *)at, __ATOMIC_RELAXED) ^ me;
    if (difference >= SM_EPOCH_BLOCK) {
        other_write_words(addr, words);
        return;
    }
#pragma clang loop unroll(disable)
    for (; cell < end; cell++)
        sm_cell_store(cell, (uint32_t)me, 0);
    sm_history_add_words(sm_own.history, addr, words);
}

/* Mostly the one or two granules it lies in have been marked as wholes. */
SM_COLD_PATH void sm_read_any(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    if (site->size > 8 || !whole_read(addr, me) || !whole_read(addr + site->size - 1, me))
        sm_check_shell(addr, site, site->size, 0);
}

SM_COLD_PATH void sm_write_any(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    if (site->size > 8 || !whole_written(addr, me) || !whole_written(addr + site->size - 1, me))
        sm_check_shell(addr, site, site->size, SM_ACCESS_WRITE);
}
