/*
 * paths.c - what stands behind an inline check that failed: see paths.h.
 *
 * Most of what comes here is settled in a few instructions: the marks that stand there are
 * the thread's own, or it has seen them. The rest (races, second readers, cells to be split)
 * goes to sm_check by way of sm_check_shell (shell.S), which saves the registers these
 * functions may not use. So none of them may call an ordinary function (races.registers looks).
 */
#include "native/paths.h"

#include "abi/site.h"
#include "base/sys.h"
#include "native/part.h"
#include "native/shadow.h"

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
static inline __attribute__((always_inline)) bool
may_take_over(const struct sm_detect_thread *thread, uint32_t write, uint32_t read)
{
    return (write | read) && !((write | read) & SM_CELL_HALF) && thread && !thread->ignored &&
           thread->takeovers->n < SM_TAKEOVERS && seen_or_none(thread, write) &&
           seen_or_none(thread, read);
}

static inline __attribute__((always_inline)) void note(struct sm_detect_thread *thread,
                                                       uintptr_t addr, uint32_t size, uint32_t over,
                                                       const struct sm_site *site)
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
        sm_history_push(sm_own.history, SM_HISTORY_ACCESS, addr, site);
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
    if (write & SM_CELL_HALF)
        return false;
    if (read == SM_CELL_MULTI)
        return renew_reader(cell, me, addr, site);
    if (!sm_same_block(read, me) && (read || !sm_same_block(write, me)))
        return false;
    if (read == me || write == me)
        return true;
    sm_cell_store_read(cell, me | flag);
    sm_history_push(sm_own.history, SM_HISTORY_ACCESS, addr, site);
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
    sm_history_push(sm_own.history, SM_HISTORY_ACCESS, addr, site);
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
    sm_history_push(sm_own.history, SM_HISTORY_ACCESS, addr, site);
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
    sm_history_push(sm_own.history, SM_HISTORY_ACCESS, addr, site);
    return true;
}

/* ---- parts of granules ---- */

/* Are they marked, in any of the ways in which some of a granule's bytes can be? */
static inline __attribute__((always_inline)) bool part_is_read(uintptr_t addr, uint32_t size,
                                                               uint32_t me)
{
    struct sm_cell low = sm_cell_load(sm_cell_low(addr));
    if (sm_cell_is_part(low))
        return sm_part_has(sm_part_load(sm_cell_part(addr)), me, sm_byte_mask(addr, size), false);
    if (low.write != SM_CELL_BYTES) {
        struct sm_cell seen = sm_cell_load(sm_cell_half(addr));
        return seen.write == (me | SM_CELL_HALF) || seen.read == (me | SM_CELL_HALF);
    }
    unsigned others = 0;
    for (uint32_t i = 0; i < size; i++) {
        struct sm_cell seen = sm_cell_load(sm_cell_byte(addr) + i);
        others |= (seen.write != me) & (seen.read != me);
    }
    return !others;
}

static inline __attribute__((always_inline)) bool part_is_written(uintptr_t addr, uint32_t size,
                                                                  uint32_t me)
{
    struct sm_cell low = sm_cell_load(sm_cell_low(addr));
    if (sm_cell_is_part(low))
        return sm_part_has(sm_part_load(sm_cell_part(addr)), me, sm_byte_mask(addr, size), true);
    if (low.write != SM_CELL_BYTES) {
        struct sm_cell seen = sm_cell_load(sm_cell_half(addr));
        return seen.write == (me | SM_CELL_HALF) && seen.read == SM_CELL_HALF;
    }
    uint64_t difference = 0;
    for (uint32_t i = 0; i < size; i++)
        difference |=
            __atomic_load_n((const uint64_t *)(sm_cell_byte(addr) + i), __ATOMIC_RELAXED) ^ me;
    return !difference;
}

/* What a loop goes through byte by byte is noted as one. */
static inline __attribute__((always_inline)) void note_part(struct sm_detect_thread *thread,
                                                            uintptr_t addr, uint32_t size,
                                                            uint32_t over,
                                                            const struct sm_site *site)
{
    struct sm_takeovers *list = thread->takeovers;
    struct sm_takeover *last = list->n ? &list->noted[list->n - 1] : NULL;
    if (last && last->site == site && last->step == 0 && last->over == over &&
        addr - last->addr <= last->size) {
        if (addr + size > last->addr + last->size)
            last->size = addr + size - last->addr;
    } else {
        note(thread, addr, size, over, site);
    }
}

static inline __attribute__((always_inline)) void
access_part(uintptr_t addr, uint32_t size, bool write, const struct sm_site *site)
{
    struct sm_detect_thread *thread = sm_current;
    enum sm_part_result result = SM_PART_NOT;
    uint32_t over;
    if (thread && !thread->ignored && thread->takeovers->n < SM_TAKEOVERS)
        result = sm_part_mark(thread, addr, sm_byte_mask(addr, size), write, &over);
    if (result == SM_PART_MARKED) {
        note_part(thread, addr, size, write ? SM_TAKEOVER_WRITE : over, site);
        sm_history_push(sm_own.history, SM_HISTORY_ACCESS, addr, site);
        if (SM_PARTS_END(addr) && !sm_cell_is_part(sm_cell_load(sm_cell_low(addr))))
            sm_parts_trim(addr);
    } else if (result == SM_PART_NOT) {
        sm_check_shell(addr, site, size, write ? SM_ACCESS_WRITE : 0);
    }
}

/* More of a granule that the thread has begun in this epoch: then its mark grows, and nothing else
   need be asked (part.h). What is gone through unaligned, a byte further each time, is here seven
   times of eight. False if there is anything else to do. */
static inline __attribute__((always_inline)) bool grow_part(uintptr_t addr, uint32_t size,
                                                            bool write, const struct sm_site *site)
{
    struct sm_detect_thread *thread = sm_current;
    struct sm_cell low = sm_cell_load(sm_cell_low(addr));
    if (!sm_cell_is_part(low) || !thread || thread->ignored ||
        thread->takeovers->n == SM_TAKEOVERS || SM_PARTS_END(addr))
        return false;
    struct sm_part part = sm_part_load(sm_cell_part(addr));
    uint8_t mask = sm_byte_mask(addr, size);
    if (part.epoch != sm_own.epoch || (write && !part.written))
        return false;
    if (sm_part_has(part, part.epoch, mask, write))
        return true;
    part = sm_part_with(part, part.epoch, mask, write);
    if (part.written == 0xff || part.read == 0xff)
        return false;
    sm_part_store(sm_cell_part(addr), part);
    note_part(thread, addr, size, write ? SM_TAKEOVER_WRITE : low.write, site);
    sm_history_push(sm_own.history, SM_HISTORY_ACCESS, addr, site);
    return true;
}

/* A granule with a cell for each byte: those that are marked, or the thread's own to renew. */
static inline bool renew_bytes_read(uintptr_t addr, uint32_t size, const struct sm_site *site)
{
    struct sm_cell *cells = sm_cell_byte(addr);
    uint32_t me = sm_own.epoch, difference = 0;
    for (uint32_t i = 0; i < size; i++) {
        struct sm_cell seen = sm_cell_load(&cells[i]);
        if (seen.write != me)
            difference |= (seen.read ? seen.read : seen.write) ^ me;
    }
    if (difference >= SM_EPOCH_BLOCK)
        return false;
    if (!difference)
        return true;
    for (uint32_t i = 0; i < size; i++)
        sm_cell_store_read(&cells[i], me);
    sm_history_push(sm_own.history, SM_HISTORY_ACCESS, addr, site);
    return true;
}

static inline bool renew_bytes_write(uintptr_t addr, uint32_t size, const struct sm_site *site)
{
    struct sm_cell *cells = sm_cell_byte(addr);
    uint32_t me = sm_own.epoch, difference = 0;
    for (uint32_t i = 0; i < size; i++) {
        struct sm_cell seen = sm_cell_load(&cells[i]);
        difference |= (seen.write ^ me) | (seen.read ? (seen.read ^ me) | 1 : 0);
    }
    if (difference >= SM_EPOCH_BLOCK)
        return false;
    if (!difference)
        return true;
    for (uint32_t i = 0; i < size; i++)
        sm_cell_store(&cells[i], me, 0);
    sm_history_push(sm_own.history, SM_HISTORY_ACCESS, addr, site);
    return true;
}

static inline bool in_bytes(uintptr_t addr)
{
    return sm_cell_load(sm_cell_low(addr)).write == SM_CELL_BYTES;
}

static SM_COLD_PATH __attribute__((noinline)) void
read_part(uintptr_t addr, const struct sm_site *site, uint32_t size)
{
    if (!in_bytes(addr))
        access_part(addr, size, false, site);
    else if (!renew_bytes_read(addr, size, site))
        sm_check_shell(addr, site, size, 0);
}

static SM_COLD_PATH __attribute__((noinline)) void
write_part(uintptr_t addr, const struct sm_site *site, uint32_t size)
{
    if (!in_bytes(addr))
        access_part(addr, size, true, site);
    else if (!renew_bytes_write(addr, size, site))
        sm_check_shell(addr, site, size, SM_ACCESS_WRITE);
}

static SM_COLD_PATH __attribute__((noinline)) void
grow_read(uintptr_t addr, const struct sm_site *site, uint32_t size)
{
    if (!grow_part(addr, size, false, site))
        read_part(addr, site, size);
}

static SM_COLD_PATH __attribute__((noinline)) void
grow_write(uintptr_t addr, const struct sm_site *site, uint32_t size)
{
    if (!grow_part(addr, size, true, site))
        write_part(addr, site, size);
}

/* Does a half of the granule count as a part? */
static inline bool in_parts(uintptr_t addr)
{
    const struct sm_cell *cell = sm_cell_low(addr);
    struct sm_cell low = sm_cell_load(cell);
    return sm_cell_is_part(low) || low.write == SM_CELL_BYTES ||
           (sm_cell_is_whole(low) && sm_part_suits_half(cell, low));
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
    if (in_parts(addr))
        read_part(addr, site, 4);
    else if (!take_read(sm_cell_half(addr), SM_CELL_HALF, 4, addr, site))
        sm_check_shell(addr, site, 4, 0);
}

static SM_COLD_PATH __attribute__((noinline)) void other_write4(uintptr_t addr,
                                                                const struct sm_site *site)
{
    if (in_parts(addr))
        write_part(addr, site, 4);
    else if (!take_write(sm_cell_half(addr), SM_CELL_HALF, 4, addr, site))
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

static inline bool in_halves(uintptr_t addr)
{
    struct sm_cell low = sm_cell_load(sm_cell_low(addr));
    return (low.write & low.read & SM_CELL_HALF) && low.write < SM_CELL_HEADER;
}

SM_COLD_PATH void sm_read4(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    bool done = in_halves(addr) ? renew_read(sm_cell_half(addr), SM_CELL_HALF, me, addr, site)
                                : whole_read(addr, me) || part_is_read(addr, 4, me);
    if (!done)
        other_read4(addr, site);
}

SM_COLD_PATH void sm_write4(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    bool done = in_halves(addr) ? renew_write(sm_cell_half(addr), SM_CELL_HALF, me, addr, site)
                                : whole_written(addr, me) || part_is_written(addr, 4, me);
    if (!done)
        other_write4(addr, site);
}

SM_COLD_PATH void sm_read1(uintptr_t addr, const struct sm_site *site)
{
    if (!part_is_read(addr, 1, sm_own.epoch))
        grow_read(addr, site, 1);
}

SM_COLD_PATH void sm_write1(uintptr_t addr, const struct sm_site *site)
{
    if (!part_is_written(addr, 1, sm_own.epoch))
        grow_write(addr, site, 1);
}

SM_COLD_PATH void sm_read2(uintptr_t addr, const struct sm_site *site)
{
    if (!part_is_read(addr, 2, sm_own.epoch))
        grow_read(addr, site, 2);
}

SM_COLD_PATH void sm_write2(uintptr_t addr, const struct sm_site *site)
{
    if (!part_is_written(addr, 2, sm_own.epoch))
        grow_write(addr, site, 2);
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
        sm_history_push_words(sm_own.history, addr, words);
}

/* Is there room on the list for each by itself and for all? If not, each by itself makes it. */
static inline bool has_room(const struct sm_detect_thread *thread)
{
    return thread && !thread->ignored && thread->takeovers->n < SM_TAKEOVERS - SM_WORDS_MAX;
}

/* What another thread wrote or read as neighbours has the same marks in each cell: they are looked
   up once. */
static inline __attribute__((always_inline)) bool may_take_alike(const struct sm_cell *cell,
                                                                 uint64_t n, struct sm_cell *first)
{
    *first = sm_cell_load(cell);
    if (first->read == SM_CELL_MULTI || !may_take_over(sm_current, first->write, first->read))
        return false;
    uint32_t difference = 0;
#pragma clang loop unroll(disable)
    for (const struct sm_cell *end = cell + n; cell < end; cell++) {
        struct sm_cell seen = sm_cell_load(cell);
        difference |= (seen.write ^ first->write) | (seen.read ^ first->read);
    }
    return !difference;
}

static SM_COLD_PATH __attribute__((noinline)) void other_read_words(uintptr_t addr,
                                                                    const struct sm_words *words)
{
    struct sm_detect_thread *thread = sm_current;
    struct sm_cell *cell = sm_cell_low(addr), first;
    uint32_t over = 0;
    unsigned done = 0;
    if (SM_LIKELY(may_take_alike(cell, words->n, &first))) {
        for (struct sm_cell *end = cell + words->n; cell < end; cell++)
            sm_cell_store_read(cell, sm_own.epoch);
        note_words(thread, addr, words, first.write, TAKEN | CHANGED);
        return;
    }
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
    struct sm_cell *cell = sm_cell_low(addr), first;
    unsigned done = 0;
    if (SM_LIKELY(may_take_alike(cell, words->n, &first))) {
        for (struct sm_cell *end = cell + words->n; cell < end; cell++)
            sm_cell_store(cell, sm_own.epoch, 0);
        note_words(thread, addr, words, SM_TAKEOVER_WRITE, TAKEN | CHANGED);
        return;
    }
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
    sm_history_push_words(sm_own.history, addr, words);
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
    sm_history_push_words(sm_own.history, addr, words);
}

/* ---- unaligned ---- */

static inline uint32_t room_in_granule(uintptr_t addr)
{
    return 8 - (uint32_t)(addr & 7);
}

SM_COLD_PATH void sm_read_any(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    for (uintptr_t end = addr + site->size, next; addr < end; addr = next) {
        next = addr + room_in_granule(addr) < end ? addr + room_in_granule(addr) : end;
        if (!whole_read(addr, me) && !grow_part(addr, (uint32_t)(next - addr), false, site))
            read_part(addr, site, (uint32_t)(next - addr));
    }
}

SM_COLD_PATH void sm_write_any(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    for (uintptr_t end = addr + site->size, next; addr < end; addr = next) {
        next = addr + room_in_granule(addr) < end ? addr + room_in_granule(addr) : end;
        if (!whole_written(addr, me) && !grow_part(addr, (uint32_t)(next - addr), true, site))
            write_part(addr, site, (uint32_t)(next - addr));
    }
}
