/*
 * cell.h - the shadow of the program's memory: where it is and what its bits mean.
 *
 * Shared by the inline paths (plugin/fast/detect_paths.c, which become part of the
 * program) and by the runtime; nothing else may know the layout.
 *
 * Eight aligned bytes of the program (a granule) have one cell: the epoch of the last
 * write and the epoch of the last read. Most data need no more, which is why the shadow
 * costs as much memory as the data and not twice that. What needs more finds it at other
 * places computed from the address, all of them reserved and none of them touched until
 * then:
 *
 *   plane    bytes for 8 bytes of data   used by
 *   LOW      8                           every granule
 *   HIGH     8                           the upper four bytes, when the halves differ
 *   READERS  4 for each cell above,      up to four unordered readers, each in the one of four
 *            four times                  planes that its slot (epoch.h) has modulo four: threads
 *                                        that renew their marks write to no common cache line
 *   PARTS    8                           accesses to some of the bytes, in one epoch, and reads of
 *                                        others in an earlier one
 *   BYTES    64                          a cell for each byte, when they differ
 *
 * A granule's LOW cell says how it is kept. By the topmost bits of its halves:
 *   neither             whole: the cell is about all eight bytes
 *   read only           parts: the cell is about all eight bytes; on top of that some of them
 *                       were accessed in the epoch that PARTS says. What is gone through byte by
 *                       byte, or unaligned, is in this state for a while and then whole again
 *   both                halves: the cell is about the lower four bytes, HIGH about the upper four
 * By the write half alone:
 *   SM_CELL_BYTES       BYTES has a cell for each byte
 *   SM_CELL_LIST        a record (record.h) has a list of accesses; its number is the first
 *                       word of the granule's readers, out of reach of a thread that still
 *                       takes the cell for one of its own and renews the read half
 *   SM_CELL_HEADER      the allocator's word before a heap block, which no program accesses;
 *                       the read half is a number of where the block was allocated (blocks.h)
 *
 * An epoch is a number that stands for a thread and a stretch of its time between two
 * releases; 0 is no epoch. SM_EPOCH_BLOCK consecutive ones belong to one thread, so "was
 * that me?" is an exclusive-or and a comparison (epoch.h knows whose block is whose).
 *
 * Who may write a cell: any thread, without a lock. A thread whose own epoch stands in a
 * cell renews it with a plain store; a locked instruction costs 7 to 19 ns here, ten times
 * the check itself. Two threads that meet in the few instructions between the load and the
 * store can overwrite each other's mark; so a thread that takes a cell over from another
 * notes that, and looks again before it next releases (takeover.h); there it also marks again
 * the parts of a granule that lost their mark to a change of the granule's state. Where the few
 * instructions could be a page fault long (a cell that was empty, a granule that is split) the
 * store is a compare-exchange. Whatever is lost, no false alarm comes of it: each epoch in a cell
 * is an access that happened, to all the bytes the cell is about.
 *
 * The fold keeps 42 bits of an address: enough to tell apart the three places where Linux
 * puts things (0, 0x55..-0x56.., 0x7e8..-0x7ff..), with or without randomisation.
 */
#ifndef SM_NATIVE_CELL_H
#define SM_NATIVE_CELL_H

#include <stdbool.h>
#include <stdint.h>

#define SM_FOLD 0x3fffffffffful
#define SM_LOW 0x100000000000ul
#define SM_HIGH 0x140000000000ul
#define SM_READERS 0x180000000000ul
#define SM_BYTE_CELLS 0x280000000000ul
#define SM_PARTS 0x480000000000ul
#define SM_PLANES_END 0x4c0000000000ul
#define SM_READERS_MAX 4
#define SM_READERS_PLANE 0x040000000000ul /* bytes from one to the next */

#define SM_CELL_HALF 0x80000000u
#define SM_CELL_HEADER 0xfffffffdu
#define SM_CELL_LIST 0xfffffffeu
#define SM_CELL_BYTES 0xffffffffu
/* Read half of a LIST or BYTES granule: with or without SM_CELL_HALF no epoch and not MULTI. */
#define SM_CELL_MARK 0x7ffffffeu
#define SM_CELL_MULTI 0x7fffffffu /* read half: more than one reader, see READERS */
#define SM_EPOCH_MASK 0x7fffffffu
#define SM_EPOCH_LIMIT 0x7fff0000u
#define SM_EPOCH_BLOCK 4096u

struct sm_cell {
    uint32_t write, read;
};
_Static_assert(sizeof(struct sm_cell) == 8, "one load");

static inline struct sm_cell *sm_cell_low(uintptr_t addr)
{
    return (struct sm_cell *)(SM_LOW + (addr & (SM_FOLD & ~7ul)));
}

static inline struct sm_cell *sm_cell_high(uintptr_t addr)
{
    return (struct sm_cell *)(SM_HIGH + (addr & (SM_FOLD & ~7ul)));
}

/* The cell of an aligned half: bit 2 of the address chooses the plane. */
static inline struct sm_cell *sm_cell_half(uintptr_t addr)
{
    return (struct sm_cell *)(SM_LOW + (addr & (SM_FOLD & ~7ul)) + ((addr & 4) << 40));
}

static inline struct sm_cell *sm_cell_byte(uintptr_t addr)
{
    return (struct sm_cell *)(SM_BYTE_CELLS + (addr & SM_FOLD) * 8);
}

/* What one epoch did to some bytes of a granule; a byte that it wrote it may also have read. Others
   were read in an earlier epoch of its block: with room for one epoch alone, what xz reads here and
   there of text that it goes through had six megabytes of cells for bytes. */
struct sm_part {
    uint32_t epoch;
    uint8_t written, read, older; /* masks of bytes, disjoint */
    uint8_t back;                 /* how many epochs before this one `older` was */
};
_Static_assert(sizeof(struct sm_part) == 8, "one load");

static inline struct sm_part *sm_cell_part(uintptr_t addr)
{
    return (struct sm_part *)(SM_PARTS + (addr & (SM_FOLD & ~7ul)));
}

/* One of the readers of a LOW or HIGH cell. */
static inline uint32_t *sm_cell_reader(const struct sm_cell *cell, uint32_t slot)
{
    return (uint32_t *)(SM_READERS + slot % SM_READERS_MAX * SM_READERS_PLANE +
                        ((uintptr_t)cell - SM_LOW) / 2);
}
_Static_assert(SM_HIGH - SM_LOW == SM_FOLD + 1 && SM_HIGH - SM_LOW == 4ul << 40, "half's plane");
_Static_assert((SM_READERS - SM_LOW) / 2 == SM_READERS_PLANE, "readers of two planes");
_Static_assert(SM_READERS + SM_READERS_MAX * SM_READERS_PLANE == SM_BYTE_CELLS, "readers");
_Static_assert(SM_BYTE_CELLS + (SM_FOLD + 1) * 8 == SM_PARTS, "bytes");
_Static_assert(SM_PARTS + SM_FOLD + 1 == SM_PLANES_END, "parts");

/* Both halves at once, as one indivisible access. */
static inline struct sm_cell sm_cell_load(const struct sm_cell *cell)
{
    union {
        uint64_t word;
        struct sm_cell cell;
    } both = {.word = __atomic_load_n((const uint64_t *)cell, __ATOMIC_RELAXED)};
    return both.cell;
}

static inline void sm_cell_store(struct sm_cell *cell, uint32_t write, uint32_t read)
{
    union {
        struct sm_cell cell;
        uint64_t word;
    } both = {.cell = {write, read}};
    __atomic_store_n((uint64_t *)cell, both.word, __ATOMIC_RELAXED);
}

/* Stores unless the cell has changed since it was seen. */
static inline bool sm_cell_replace(struct sm_cell *cell, struct sm_cell seen, uint32_t write,
                                   uint32_t read)
{
    union {
        struct sm_cell cell;
        uint64_t word;
    } from = {.cell = seen}, to = {.cell = {write, read}};
    return __atomic_compare_exchange_n((uint64_t *)cell, &from.word, to.word, false,
                                       __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

static inline void sm_cell_store_read(struct sm_cell *cell, uint32_t read)
{
    __atomic_store_n(&cell->read, read, __ATOMIC_RELAXED);
}

static inline struct sm_part sm_part_load(const struct sm_part *part)
{
    union {
        uint64_t word;
        struct sm_part part;
    } all = {.word = __atomic_load_n((const uint64_t *)part, __ATOMIC_RELAXED)};
    return all.part;
}

static inline void sm_part_store(struct sm_part *to, struct sm_part part)
{
    union {
        struct sm_part part;
        uint64_t word;
    } all = {.part = part};
    __atomic_store_n((uint64_t *)to, all.word, __ATOMIC_RELAXED);
}

static inline bool sm_cell_is_whole(struct sm_cell low)
{
    return !((low.write | low.read) & SM_CELL_HALF);
}

static inline bool sm_cell_is_part(struct sm_cell low)
{
    return !(low.write & SM_CELL_HALF) && (low.read & SM_CELL_HALF);
}

/* Which bytes of its granule an access within one touches. */
static inline uint8_t sm_byte_mask(uintptr_t addr, uint32_t size)
{
    return (uint8_t)(((1u << size) - 1) << (addr & 7));
}

/* Are both epochs of one block, and so of one thread? Neither may have flags. */
static inline bool sm_same_block(uint32_t epoch, uint32_t me)
{
    return (epoch ^ me) < SM_EPOCH_BLOCK;
}

#endif
