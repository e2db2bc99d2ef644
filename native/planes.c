/*
 * planes.c - the memory under the shadow: mapping it, emptying it, locking parts of it.
 */
#include <sys/mman.h>

#include "base/sys.h"
#include "native/record.h"
#include "native/shadow.h"

/* ---- locks ---- */

#define STRIPES 4096

static struct {
    uint32_t word;
} __attribute__((aligned(64))) stripes[STRIPES];

static uint32_t *stripe(uintptr_t addr)
{
    return &stripes[(addr >> 3) * 0x9e3779b97f4a7c15u >> 52].word;
}
_Static_assert(STRIPES == 1 << (64 - 52), "twelve bits of the product");

void sm_lock_word_slowly(uint32_t *word)
{
    unsigned spins = 0;
    do {
        while (__atomic_load_n(word, __ATOMIC_RELAXED) && ++spins % 64)
            __builtin_ia32_pause();
        if (spins++ > 256)
            sm_syscall(SYS_sched_yield);
    } while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE)); /* as in sm_lock_word */
}

void sm_granule_lock(uintptr_t addr)
{
    sm_lock_word(stripe(addr));
}

void sm_granule_unlock(uintptr_t addr)
{
    sm_unlock_word(stripe(addr));
}

/* ---- mapping ---- */

/* Huge pages would make a byte of data cost megabytes of shadow; nobody reads a core dump
   of it. */
void sm_shadow_map(void)
{
    void *planes = sm_map((void *)SM_LOW, SM_PLANES_END - SM_LOW);
    sm_syscall(SYS_madvise, planes, SM_PLANES_END - SM_LOW, (long)MADV_NOHUGEPAGE);
    sm_syscall(SYS_madvise, planes, SM_PLANES_END - SM_LOW, (long)MADV_DONTDUMP);
}

/* ---- emptying ---- */

/* From here on giving pages back is cheaper than clearing them, and memory that the program
   maps but never touches must not get a shadow. */
#define DROP_SIZE (64ul << 10)

static void drop(uintptr_t from, uintptr_t to)
{
    from = (from + 4095) & ~4095ul;
    to &= ~4095ul;
    if (from < to)
        sm_syscall(SYS_madvise, from, to - from, (long)MADV_DONTNEED);
}

static void free_lists(uintptr_t addr, uintptr_t end)
{
    for (; addr < end; addr += 8)
        if (sm_cell_load(sm_cell_low(addr)).write == SM_CELL_LIST)
            sm_record_drop(addr);
}

static void clear_cells(uintptr_t addr, uintptr_t end)
{
    for (; addr < end; addr += 8) {
        struct sm_cell low = sm_cell_load(sm_cell_low(addr));
        if (low.write == SM_CELL_LIST)
            sm_record_drop(addr);
        if (low.write & SM_CELL_HALF)
            sm_cell_store(sm_cell_high(addr), 0, 0);
        if (low.write || low.read)
            sm_cell_store(sm_cell_low(addr), 0, 0);
    }
}

/* Only whole granules: the allocator hands out multiples of 16. */
void sm_shadow_clear(uintptr_t addr, size_t size)
{
    uintptr_t end = (addr + size + 7) & ~7ul;
    addr &= ~7ul;
    if (size < DROP_SIZE) {
        clear_cells(addr, end);
        return;
    }
    uintptr_t first = (addr + 4095) & ~4095ul, last = end & ~4095ul;
    clear_cells(addr, first);
    if (sm_n_records)
        free_lists(first, last);
    drop((uintptr_t)sm_cell_low(first), (uintptr_t)sm_cell_low(first) + (last - first));
    drop((uintptr_t)sm_cell_high(first), (uintptr_t)sm_cell_high(first) + (last - first));
    for (unsigned i = 0; i < SM_READERS_MAX; i++) {
        uintptr_t low = (uintptr_t)sm_cell_reader(sm_cell_low(first), i);
        drop(low, low + (last - first) / 2);
        uintptr_t high = (uintptr_t)sm_cell_reader(sm_cell_high(first), i);
        drop(high, high + (last - first) / 2);
    }
    drop((uintptr_t)sm_cell_part(first), (uintptr_t)sm_cell_part(first) + (last - first));
    uintptr_t bytes = (uintptr_t)sm_cell_byte(first);
    drop(bytes, bytes + 8 * (last - first));
    clear_cells(last, end);
}

/* ---- granules that became whole ---- */

/* Who splits one of the granules at this moment races with the writer, whose marks are there: it
   finds them, whatever it loses here. */
void sm_planes_trim(uintptr_t from, uintptr_t to, uintptr_t split, uintptr_t split_end)
{
    uintptr_t first = split & ~4095ul, end = (split_end + 4095) & ~4095ul;
    first = first < from ? first + 4096 : first;
    end = end > to ? to & ~4095ul : end;
    if (first >= end)
        return;
    uintptr_t high = (uintptr_t)sm_cell_high(first), part = (uintptr_t)sm_cell_part(first);
    uintptr_t bytes = (uintptr_t)sm_cell_byte(first), size = end - first;
    drop(high, high + size);
    drop(part, part + size);
    drop(bytes, bytes + 8 * size);
}

static bool has_part(uintptr_t addr, uintptr_t end)
{
    for (; addr < end; addr += 8)
        if (sm_cell_is_part(sm_cell_load(sm_cell_low(addr))))
            return true;
    return false;
}

/* A thread that makes a part at this moment marks it again (takeover.h). Neighbouring pages go by
   one call, and at the end of a span one call is made, not one for each access to its last granule:
   each makes the other processor forget its translations. zstd made 35,606 calls, now 5,587, and
   takes a sixth less time. */
SM_COLD_PATH void sm_parts_trim(uintptr_t addr)
{
    uintptr_t page = addr & ~(SM_PARTS_SPAN - 1), end = page + SM_PARTS_SPAN, unused = page;
    for (; page < end; page += 4096)
        if (has_part(page, page + 4096)) {
            drop((uintptr_t)sm_cell_part(unused), (uintptr_t)sm_cell_part(page));
            unused = page + 4096;
        }
    drop((uintptr_t)sm_cell_part(unused), (uintptr_t)sm_cell_part(unused) + (end - unused));
}
