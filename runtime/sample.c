#include "runtime/sample.h"

#include <sys/mman.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/heap.h"
#include "runtime/module.h"
#include "runtime/region.h"

/* A row of an array is decided as a whole, since it is likely to be traversed, but at most so many
   bytes of it: the shadow bytes take memory. Deciding each element took 90 ns. */
enum { AT_ONCE = 1 << 16 };

bool sm_sampling;

void sm_sample_map(void)
{
    sm_map((void *)SM_SAMPLE_BASE, SM_SAMPLE_SIZE);
}

void sm_sample_open(void)
{
    /* A race detector must see everything, and under tso a delayed store must be landed by the
       stores after it: only seen ones can do so. */
    sm_sampling = sm_option(sample) && sm_control->watch_mode == SM_WATCH_LIST &&
                  sm_option(model) != SM_MODEL_TSO;
}

void sm_sample_start(void)
{
    if (!sm_sampling)
        return;
    sm_syscall(SYS_madvise, SM_SAMPLE_BASE, SM_SAMPLE_SIZE, (long)MADV_DONTNEED);
    for (uint64_t i = 0; i < sm_control->n_sampled && i < SM_MAX_SAMPLED; i++)
        sm_sample_keep(sm_region_real(sm_control->sampled[i]));
}

/* ---- arrays ---- */

struct extent {
    uintptr_t start, end;
};

/* The variable or block that contains the address; false: a stack, or memory mapped by the program.
 */
static bool find_extent(uintptr_t addr, struct extent *extent)
{
    static const struct sm_global *recent;
    size_t size;
    uint32_t owner;
    if (sm_heap_block(addr, &extent->start, &size, &owner)) {
        extent->end = extent->start + size;
        return true;
    }
    if (!recent || !sm_global_holds(recent, addr))
        recent = sm_global_at(addr);
    if (recent)
        *extent =
            (struct extent){(uintptr_t)recent->address, (uintptr_t)recent->address + recent->size};
    return recent;
}

/* The index of the address in the innermost array. If that is in an outer array whose size is not a
   multiple of its own, it is arbitrary. */
static uint64_t index_of(uintptr_t addr, const struct sm_site *site, const struct extent *extent)
{
    uintptr_t offset = addr - extent->start;
    offset -= site->origin < offset ? site->origin : offset;
    uint64_t index = offset / site->stride;
    return site->length ? index % site->length : index;
}

/* Marks the granule of addr, element `index`, and those of its row around it that contain none of
   the first elements. */
static void pass_over_row(uintptr_t addr, uint64_t index, const struct sm_site *site,
                          const struct extent *extent)
{
    uint64_t left = site->length ? (site->length - index) * (uint64_t)site->stride : AT_ONCE;
    if (left > AT_ONCE)
        left = AT_ONCE;
    uintptr_t end = left < extent->end - addr ? addr + left : extent->end;
    uint64_t before = (index - sm_option(sample)) * site->stride;
    uintptr_t from = before < AT_ONCE ? addr - before : addr;
    *sm_sample_byte(addr) = SM_SAMPLE_UNSEEN;
    for (uintptr_t at = (from + 7) / 8 * 8; at + 8 <= end; at += 8)
        if (*sm_sample_byte(at) == SM_SAMPLE_UNKNOWN)
            *sm_sample_byte(at) = SM_SAMPLE_UNSEEN;
}

bool sm_sample_decide(uintptr_t addr, const struct sm_site *site)
{
    struct extent extent;
    if (site && site->stride && find_extent(addr, &extent)) {
        uintptr_t first = addr / 8 * 8; /* several elements may share the granule */
        uint64_t index = index_of(first > extent.start ? first : extent.start, site, &extent);
        if (index >= sm_option(sample)) {
            sm_count(UNSEEN);
            pass_over_row(addr, index, site, &extent);
            return false;
        }
    }
    *sm_sample_byte(addr) = SM_SAMPLE_SEEN;
    return true;
}

void sm_sample_forget_in(uintptr_t addr, size_t size)
{
    for (uintptr_t at = addr / 8 * 8; at < addr + size; at += 8)
        if (*sm_sample_byte(at))
            *sm_sample_byte(at) = SM_SAMPLE_UNKNOWN;
}
