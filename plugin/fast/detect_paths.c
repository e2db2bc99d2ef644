/*
 * detect_paths.c - the inline checks of the detect flavour.
 *
 * Compiled to bitcode, linked into each module of the program and always inlined. Each is
 * the question "does my mark of this epoch stand there already?", which most accesses
 * answer with one load; all else is behind the call (native/paths.c), which keeps every
 * register and is marked cold. What the bits mean is in native/cell.h.
 */
#include "native/cell.h"
#include "native/paths.h"

#define INLINE __attribute__((always_inline)) void
#define LIKELY(x) __builtin_expect(!!(x), 1)

/* A write of this epoch stands for a read as well. Two loads, the first of which mostly
   settles it; they need not be of one moment, for each is a mark of this thread's own. */
static inline bool has_read(const struct sm_cell *cell, uint32_t mask, uint32_t me)
{
    if (LIKELY((__atomic_load_n(&cell->read, __ATOMIC_RELAXED) & mask) == me))
        return true;
    return (__atomic_load_n(&cell->write, __ATOMIC_RELAXED) & mask) == me;
}

/* Data that several threads read: see whether this one is among them already. */
static inline bool is_among_readers(const struct sm_cell *cell, uint32_t mask, uint32_t me)
{
    return (__atomic_load_n(&cell->read, __ATOMIC_RELAXED) & mask) == SM_CELL_MULTI &&
           __atomic_load_n(sm_own_reader(cell), __ATOMIC_RELAXED) == me;
}

/* The epoch as the write, no read since: as one number. */
static inline bool has_written(const struct sm_cell *cell, uint64_t mask, uint32_t me)
{
    return (__atomic_load_n((const uint64_t *)cell, __ATOMIC_RELAXED) & mask) == me;
}

INLINE sm_inline_read8(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    const struct sm_cell *cell = sm_cell_low(addr);
    if (!LIKELY(has_read(cell, ~0u, me)) && !LIKELY(is_among_readers(cell, ~0u, me)))
        sm_read8(addr, site);
}

INLINE sm_inline_write8(uintptr_t addr, const struct sm_site *site)
{
    if (!LIKELY(has_written(sm_cell_low(addr), ~0ul, sm_own.epoch)))
        sm_write8(addr, site);
}

INLINE sm_inline_read16(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    const struct sm_cell *cell = sm_cell_low(addr);
    if (!LIKELY(has_read(cell, ~0u, me) && has_read(cell + 1, ~0u, me)))
        sm_read16(addr, site);
}

INLINE sm_inline_write16(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    const struct sm_cell *cell = sm_cell_low(addr);
    if (!LIKELY(has_written(cell, ~0ul, me) && has_written(cell + 1, ~0ul, me)))
        sm_write16(addr, site);
}

/* A mark on the whole granule counts for a half of it: without the flag, and for the upper half,
   whose own cell is elsewhere, at another place. */
INLINE sm_inline_read4(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    const struct sm_cell *cell = sm_cell_half(addr);
    if (!LIKELY(has_read(cell, SM_EPOCH_MASK, me)) &&
        !LIKELY(is_among_readers(cell, SM_EPOCH_MASK, me)) &&
        !LIKELY(has_read(sm_cell_low(addr), ~0u, me)))
        sm_read4(addr, site);
}

INLINE sm_inline_write4(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    if (!LIKELY(has_written(sm_cell_half(addr), SM_EPOCH_MASK * 0x100000001ul, me)) &&
        !LIKELY(has_written(sm_cell_low(addr), ~0ul, me)))
        sm_write4(addr, site);
}

/* Smaller parts are mostly of a granule that has been gone through: it is marked as a whole. */
INLINE sm_inline_read2(uintptr_t addr, const struct sm_site *site)
{
    if (!LIKELY(has_read(sm_cell_low(addr), ~0u, sm_own.epoch)))
        sm_read2(addr, site);
}

INLINE sm_inline_write2(uintptr_t addr, const struct sm_site *site)
{
    if (!LIKELY(has_written(sm_cell_low(addr), ~0ul, sm_own.epoch)))
        sm_write2(addr, site);
}

INLINE sm_inline_read1(uintptr_t addr, const struct sm_site *site)
{
    if (!LIKELY(has_read(sm_cell_low(addr), ~0u, sm_own.epoch)))
        sm_read1(addr, site);
}

INLINE sm_inline_write1(uintptr_t addr, const struct sm_site *site)
{
    if (!LIKELY(has_written(sm_cell_low(addr), ~0ul, sm_own.epoch)))
        sm_write1(addr, site);
}

/* The first and the last granule of an unaligned access of at most 9 bytes are all of them. */
INLINE sm_inline_read_any(uintptr_t addr, uint64_t size, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    if (size > 9 || !LIKELY(has_read(sm_cell_low(addr), ~0u, me) &&
                            has_read(sm_cell_low(addr + size - 1), ~0u, me)))
        sm_read_any(addr, site);
}

INLINE sm_inline_write_any(uintptr_t addr, uint64_t size, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    if (size > 9 || !LIKELY(has_written(sm_cell_low(addr), ~0ul, me) &&
                            has_written(sm_cell_low(addr + size - 1), ~0ul, me)))
        sm_write_any(addr, site);
}

/* ---- neighbours: the same questions, of all at once ---- */

static inline __attribute__((always_inline)) bool words_read(const struct sm_cell *cells,
                                                             unsigned n, uint32_t me)
{
    uint32_t difference = 0;
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < n; i++)
        difference |= __atomic_load_n(&cells[i].read, __ATOMIC_RELAXED) ^ me;
    return !difference;
}

/* What the thread has written in this epoch it may read. */
static inline __attribute__((always_inline)) bool words_own(const struct sm_cell *cells, unsigned n,
                                                            uint32_t me)
{
    uint32_t difference = 0;
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < n; i++)
        difference |= __atomic_load_n(&cells[i].write, __ATOMIC_RELAXED) ^ me;
    return !difference;
}

/* Data that several threads read, this one among them: its own marks of an earlier epoch are its
   to renew (paths.c, renew_reader). Here and not behind a call: a thread that reads the same
   table between any two locks does nothing else. */
static inline __attribute__((always_inline)) bool words_among_readers(const struct sm_cell *cells,
                                                                      unsigned n, uint32_t me,
                                                                      uintptr_t addr,
                                                                      const struct sm_words *words)
{
    uint32_t several = 0, difference = 0;
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < n; i++) {
        several |= __atomic_load_n(&cells[i].read, __ATOMIC_RELAXED) ^ SM_CELL_MULTI;
        difference |= __atomic_load_n(sm_own_reader(&cells[i]), __ATOMIC_RELAXED) ^ me;
    }
    if (several || difference >= SM_EPOCH_BLOCK)
        return false;
    if (LIKELY(!difference))
        return true;
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < n; i++)
        __atomic_store_n(sm_own_reader(&cells[i]), me, __ATOMIC_RELAXED);
    sm_history_push_words(sm_own.history, addr, words);
    return true;
}

static inline __attribute__((always_inline)) bool words_written(const struct sm_cell *cells,
                                                                unsigned n, uint32_t me)
{
    uint64_t difference = 0;
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < n; i++)
        difference |= __atomic_load_n((const uint64_t *)&cells[i], __ATOMIC_RELAXED) ^ me;
    return !difference;
}

/* The readers of cells that have but one may lie in pages that nobody else needs: they are not
   touched before the first cell says that there are several. */
#define WORDS(n)                                                                                   \
    INLINE sm_inline_read_words##n(uintptr_t addr, const struct sm_words *words)                   \
    {                                                                                              \
        uint32_t me = sm_own.epoch;                                                                \
        const struct sm_cell *cells = sm_cell_low(addr);                                           \
        if (LIKELY(words_read(cells, n, me)))                                                      \
            return;                                                                                \
        if (__atomic_load_n(&cells->read, __ATOMIC_RELAXED) == SM_CELL_MULTI) {                    \
            if (LIKELY(words_among_readers(cells, n, me, addr, words)))                            \
                return;                                                                            \
        } else if (LIKELY(words_own(cells, n, me))) {                                              \
            return;                                                                                \
        }                                                                                          \
        sm_read_words(addr, words);                                                                \
    }                                                                                              \
    INLINE sm_inline_write_words##n(uintptr_t addr, const struct sm_words *words)                  \
    {                                                                                              \
        if (!LIKELY(words_written(sm_cell_low(addr), n, sm_own.epoch)))                            \
            sm_write_words(addr, words);                                                           \
    }
WORDS(2)
WORDS(3)
WORDS(4)
WORDS(5)
WORDS(6)
WORDS(7)
WORDS(8)
_Static_assert(SM_WORDS_MAX == 8, "a path for each number");

INLINE sm_inline_read_range(uintptr_t start, uint64_t count, uint64_t step,
                            const struct sm_site *site)
{
    sm_read_range(start, count, step, site);
}

INLINE sm_inline_write_range(uintptr_t start, uint64_t count, uint64_t step,
                             const struct sm_site *site)
{
    sm_write_range(start, count, step, site);
}

INLINE sm_inline_read_stripes(uintptr_t start, uint64_t count, const struct sm_words *words)
{
    sm_read_stripes(start, count, words);
}

INLINE sm_inline_write_stripes(uintptr_t start, uint64_t count, const struct sm_words *words)
{
    sm_write_stripes(start, count, words);
}

INLINE sm_inline_call(const struct sm_site *site)
{
    sm_history_push(sm_own.history, SM_HISTORY_CALL, (uintptr_t)__builtin_frame_address(0), site);
}

INLINE sm_inline_return(const struct sm_site *site)
{
    sm_history_return(sm_own.history, (uintptr_t)__builtin_frame_address(0), site);
}
