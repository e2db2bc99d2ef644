/*
 * cell.h - shadow memory: its address and the layout of a cell.
 *
 * Shared by the inline fast paths (plugin/fast/detect_paths.c, which become part of the program)
 * and the runtime; nothing else may know the layout.
 *
 * Each granule (eight aligned bytes of the program) has one cell of four marks. A mark describes
 * the accesses of one thread, in one epoch, to some bytes of the granule:
 *
 *   bits 31..9   the epoch, modulo 2^23 (epoch.h expands it)
 *   bit  8       1: write, 0: read. A write covers a read by the same thread in the same epoch
 *   bits 7..0    the bytes accessed
 *
 * The inline check is the same for every size, offset and kind of access: is there a mark of this
 * thread's current epoch that covers the access? One load of 16 bytes and one comparison of four
 * lanes answer it. After the first access in an epoch the check needs no other shadow memory,
 * whatever the other threads do with the granule.
 *
 * The cell is also the exact state: it holds every access that a later one can race with and that
 * no other mark dominates (marks.h). It changes by one compare-exchange of all 16 bytes, or, as
 * that is what most of the time would be spent on, by an ordinary store of single marks; marks.h
 * says what that can miss. No thread waits for a preempted one, and nothing is left to check at a
 * release.
 *
 * Where four marks do not suffice, and for atomics and locks, the first mark is a state:
 *
 *   SM_MARK_LIST    the accesses are in a record (record.h), whose number is in a separate plane,
 *                   four bytes per granule. The other three marks are a cache for the inline check
 *
 *   SM_MARK_HEADER  the allocator's word before a heap block, which no program accesses; the second
 *                   mark is the number of the block's origin (blocks.h)
 *
 * The fold keeps 42 bits of an address: enough to distinguish the three regions that Linux uses (0,
 * 0x55..-0x56.., 0x7e8..-0x7ff..), with or without address randomisation.
 */
#ifndef SM_NATIVE_CELL_H
#define SM_NATIVE_CELL_H

#include <stdbool.h>
#include <stdint.h>

#define SM_FOLD 0x3fffffffffful
#define SM_CELLS 0x100000000000ul
#define SM_NUMBERS 0x180000000000ul
#define SM_PLANES_END 0x1a0000000000ul

#define SM_MARKS 4
#define SM_MARK_BYTES 0xffu
#define SM_MARK_WRITE 0x100u
#define SM_MARK_SHIFT 9
#define SM_SHORT_EPOCHS (1u << (32 - SM_MARK_SHIFT))
/* No mark has the last short epoch: a first mark that has it is a state. */
#define SM_MARK_STATES 0xfffffe00u
#define SM_MARK_HEADER 0xfffffe00u
#define SM_MARK_LIST 0xffffffffu
#define SM_MARK_NO_CELL 0xffffff00u /* no cell has it */

struct sm_cell {
    union {
        uint32_t mark[SM_MARKS];
        uint64_t half[2];
    };
} __attribute__((aligned(16)));
_Static_assert(sizeof(struct sm_cell) == 16, "one load");
_Static_assert(SM_CELLS + 2 * (SM_FOLD + 1) == SM_NUMBERS, "16 bytes for 8");
_Static_assert(SM_NUMBERS + (SM_FOLD + 1) / 2 == SM_PLANES_END, "4 bytes for 8");

static inline struct sm_cell *sm_cell_of(uintptr_t addr)
{
    return (struct sm_cell *)(SM_CELLS + (addr & (SM_FOLD & ~7ul)) * 2);
}

/* The number of the record of a granule in state LIST. */
static inline uint32_t *sm_cell_number(uintptr_t addr)
{
    return (uint32_t *)(SM_NUMBERS + (addr & (SM_FOLD & ~7ul)) / 2);
}

/* The load is not atomic as a whole: if the halves do not match, sm_cell_replace fails. */
static inline struct sm_cell sm_cell_load(const struct sm_cell *cell)
{
    struct sm_cell seen;
    seen.half[0] = __atomic_load_n(&cell->half[0], __ATOMIC_RELAXED);
    seen.half[1] = __atomic_load_n(&cell->half[1], __ATOMIC_RELAXED);
    return seen;
}

/* Compare-exchange of the whole cell. As a locked instruction it is also a full barrier. */
static inline bool sm_cell_replace(struct sm_cell *cell, struct sm_cell seen, struct sm_cell next)
{
    bool same;
    __asm__ volatile("lock cmpxchg16b %1"
                     : "=@ccz"(same), "+m"(*cell), "+a"(seen.half[0]), "+d"(seen.half[1])
                     : "b"(next.half[0]), "c"(next.half[1])
                     : "memory");
    return same;
}

/* For memory that no other thread can access meanwhile. */
static inline void sm_cell_store(struct sm_cell *cell, uint64_t low, uint64_t high)
{
    __atomic_store_n(&cell->half[0], low, __ATOMIC_RELAXED);
    __atomic_store_n(&cell->half[1], high, __ATOMIC_RELAXED);
}

/* The first mark, which alone identifies a state. */
static inline uint32_t sm_cell_state(const struct sm_cell *cell)
{
    return __atomic_load_n(&cell->mark[0], __ATOMIC_RELAXED);
}

static inline uint32_t sm_mark_of(uint32_t epoch, bool write, uint8_t bytes)
{
    return epoch << SM_MARK_SHIFT | (write ? SM_MARK_WRITE : 0) | bytes;
}

static inline uint32_t sm_mark_epoch(uint32_t mark)
{
    return mark >> SM_MARK_SHIFT;
}

/* The bytes of a granule that an access touches; the access lies within one granule. */
static inline uint8_t sm_byte_mask(uintptr_t addr, uint32_t size)
{
    return (uint8_t)(((1u << size) - 1) << (addr & 7));
}

#endif
