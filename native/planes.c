/*
 * planes.c - the memory of the shadow: mapping, clearing and locking it.
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

void sm_granule_lock(uintptr_t addr)
{
    sm_lock_word(stripe(addr), SM_LOCK_GRANULE);
}

void sm_granule_unlock(uintptr_t addr)
{
    sm_unlock_word(stripe(addr), SM_LOCK_GRANULE);
}

/* ---- where records are ----
 * To clear the shadow of a thread's stack, a million granules, each cell would have to be read for
 * its record: 3 ms for each thread that is created, most of it page faults. So records are counted
 * in regions of 64 KiB. */

enum { REGION_SHIFT = 16 };
#define REGIONS ((SM_FOLD + 1) >> REGION_SHIFT)

static uint32_t *records_in; /* by region of the folded address */

static uint32_t *region_of(uintptr_t addr)
{
    return &records_in[(addr & SM_FOLD) >> REGION_SHIFT];
}

void sm_record_counted(uintptr_t addr, int by)
{
    __atomic_fetch_add(region_of(addr), (uint32_t)by, __ATOMIC_RELAXED);
}

/* ---- mapping ---- */

/* With huge pages a byte of data could cost megabytes of shadow. The shadow is of no use in a core
   dump. */
void sm_shadow_map(void)
{
    records_in = sm_map(NULL, REGIONS * sizeof *records_in);
    void *planes = sm_map((void *)SM_CELLS, SM_PLANES_END - SM_CELLS);
    sm_syscall(SYS_madvise, planes, SM_PLANES_END - SM_CELLS, (long)MADV_NOHUGEPAGE);
    sm_syscall(SYS_madvise, planes, SM_PLANES_END - SM_CELLS, (long)MADV_DONTDUMP);
}

/* ---- emptying ---- */

/* From this size on returning pages is cheaper than clearing them, and memory that the program maps
   but never touches must not get a shadow. */
#define DROP_SIZE (64ul << 10)

static void drop(uintptr_t from, uintptr_t to)
{
    from = (from + 4095) & ~4095ul;
    to &= ~4095ul;
    if (from < to)
        sm_syscall(SYS_madvise, from, to - from, (long)MADV_DONTNEED);
}

static void clear_cells(uintptr_t addr, uintptr_t end)
{
    for (; addr < end; addr += 8) {
        struct sm_cell *cell = sm_cell_of(addr);
        if (sm_cell_state(cell) == SM_MARK_LIST)
            sm_record_drop(addr);
        else
            sm_cell_store(cell, 0, 0);
    }
}

static void free_lists(uintptr_t addr, uintptr_t end)
{
    for (uintptr_t next; addr < end; addr = next) {
        next = ((addr >> REGION_SHIFT) + 1) << REGION_SHIFT;
        next = next < end ? next : end;
        if (!__atomic_load_n(region_of(addr), __ATOMIC_RELAXED))
            continue;
        for (; addr < next; addr += 8)
            if (sm_cell_state(sm_cell_of(addr)) == SM_MARK_LIST)
                sm_record_drop(addr);
    }
}

/* Clears whole granules: the allocator hands out multiples of 16. */
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
    free_lists(first, last);
    uintptr_t cells = (uintptr_t)sm_cell_of(first), numbers = (uintptr_t)sm_cell_number(first);
    drop(cells, cells + 2 * (last - first));
    drop(numbers, numbers + (last - first) / 2);
    clear_cells(last, end);
}
