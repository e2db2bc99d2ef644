/*
 * detect_paths.c - the inline checks of the detect flavour.
 *
 * Compiled to bitcode, linked into each module of the program and always inlined. Each is
 * the question "does my mark of this epoch stand there already?", which most accesses
 * answer with one load; all else is behind the call (detect/paths.c), which keeps every
 * register and is marked cold. What the bits mean is in detect/cell.h.
 */
#include "../../detect/cell.h"
#include "../../detect/paths.h"

#define INLINE __attribute__((always_inline, used)) void
#define LIKELY(x) __builtin_expect(!!(x), 1)

/* A write of this epoch stands for a read as well. */
static inline bool has_read(struct sm_cell seen, uint32_t me)
{
    return seen.read == me || seen.write == me;
}

static inline bool has_written(struct sm_cell seen, uint32_t me)
{
    return seen.write == me && seen.read == 0;
}

/* Without the flag: a mark on the whole granule counts for a part of it. */
static inline struct sm_cell part_load(uintptr_t addr)
{
    struct sm_cell seen = sm_cell_load(sm_cell_half(addr));
    return (struct sm_cell){seen.write & SM_EPOCH_MASK, seen.read & SM_EPOCH_MASK};
}

INLINE sm_inline_read8(uintptr_t addr, const struct sm_site *site)
{
    if (!LIKELY(has_read(sm_cell_load(sm_cell_low(addr)), sm_own.epoch)))
        sm_read8(addr, site);
}

INLINE sm_inline_write8(uintptr_t addr, const struct sm_site *site)
{
    if (!LIKELY(has_written(sm_cell_load(sm_cell_low(addr)), sm_own.epoch)))
        sm_write8(addr, site);
}

INLINE sm_inline_read16(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    const struct sm_cell *cell = sm_cell_low(addr);
    if (!LIKELY(has_read(sm_cell_load(cell), me) && has_read(sm_cell_load(cell + 1), me)))
        sm_read16(addr, site);
}

INLINE sm_inline_write16(uintptr_t addr, const struct sm_site *site)
{
    uint32_t me = sm_own.epoch;
    const struct sm_cell *cell = sm_cell_low(addr);
    if (!LIKELY(has_written(sm_cell_load(cell), me) && has_written(sm_cell_load(cell + 1), me)))
        sm_write16(addr, site);
}

INLINE sm_inline_read4(uintptr_t addr, const struct sm_site *site)
{
    if (!LIKELY(has_read(part_load(addr), sm_own.epoch)))
        sm_read4(addr, site);
}

INLINE sm_inline_write4(uintptr_t addr, const struct sm_site *site)
{
    if (!LIKELY(has_written(part_load(addr), sm_own.epoch)))
        sm_write4(addr, site);
}

INLINE sm_inline_read2(uintptr_t addr, const struct sm_site *site)
{
    if (!LIKELY(has_read(part_load(addr), sm_own.epoch)))
        sm_read2(addr, site);
}

INLINE sm_inline_write2(uintptr_t addr, const struct sm_site *site)
{
    if (!LIKELY(has_written(part_load(addr), sm_own.epoch)))
        sm_write2(addr, site);
}

INLINE sm_inline_read1(uintptr_t addr, const struct sm_site *site)
{
    if (!LIKELY(has_read(part_load(addr), sm_own.epoch)))
        sm_read1(addr, site);
}

INLINE sm_inline_write1(uintptr_t addr, const struct sm_site *site)
{
    if (!LIKELY(has_written(part_load(addr), sm_own.epoch)))
        sm_write1(addr, site);
}

INLINE sm_inline_read_any(uintptr_t addr, const struct sm_site *site)
{
    sm_read_any(addr, site);
}

INLINE sm_inline_write_any(uintptr_t addr, const struct sm_site *site)
{
    sm_write_any(addr, site);
}

INLINE sm_inline_call(const struct sm_site *site)
{
    sm_history_add(sm_own.history, SM_HISTORY_CALL, (uintptr_t)__builtin_frame_address(0), site);
}

INLINE sm_inline_return(const struct sm_site *site)
{
    sm_history_add(sm_own.history, SM_HISTORY_RETURN, (uintptr_t)__builtin_frame_address(0), site);
}
