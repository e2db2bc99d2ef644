#include "runtime/heap.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/sys.h"
#include "runtime/region.h"

#define UNIT_SHIFT 16
#define UNIT_SIZE (1ul << UNIT_SHIFT)
#define SLOT_SHIFT 4
#define UNITS_OFFSET (1ul << 20)
#define SLOTS_OFFSET (128ul << 20)
#define DATA_OFFSET (1ul << 30)
#define DATA_SIZE (SM_REGION_HEAP_STRIDE - DATA_OFFSET)
#define UNITS (DATA_SIZE >> UNIT_SHIFT)
#define CHUNK_UNITS 64u /* 4 MiB: one system call for every 64 units that come into use */
#define SMALL_MAX 32768ul
/* Between the end of a block and the next one: accesses there are outside of any block. It also
   makes each small block at least two slots long. */
#define GAP 16ul
/* Bytes of freed blocks of a heap that are held back from reuse: few enough for the cost of fresh
   pages (0.25 us each), enough for the freed blocks of most programs. */
#define HELD_MOST (4ul << 20)
/* From this size on, returning pages to the kernel is cheaper than clearing them. */
#define DISCARD_MIN (1ul << 20)
#define NOTE_PAGE 4096ul /* the last page of a large block, which holds its note */

/* 16 to 128 in steps of 16, then four classes for each doubling up to SMALL_MAX. */
enum { LINEAR_CLASSES = 8, CLASSES = LINEAR_CLASSES + 4 * 8 };

/* A slot: two bits of state over 30 bits of size (live small block) or of the number of the
   next freed slot plus one (freed block). The second slot of a freed small block has its size. */
enum slot_state { SLOT_UNUSED, SLOT_SMALL, SLOT_FREED, SLOT_LARGE };
#define SLOT(state, rest) ((uint32_t)(state) << 30 | (uint32_t)(rest))
#define SLOT_STATE(slot) ((slot) >> 30)
#define SLOT_REST(slot) ((slot) & 0x3fffffffu)
_Static_assert(DATA_SIZE >> SLOT_SHIFT < 1u << 30, "slot numbers fit");
_Static_assert(SLOTS_OFFSET + (DATA_SIZE >> SLOT_SHIFT) * 4 <= DATA_OFFSET, "slots fit");

enum unit_kind { UNIT_UNUSED, UNIT_SLAB, UNIT_LARGE, UNIT_LARGE_TAIL, UNIT_FREE };

struct unit {
    uint8_t kind;   /* enum unit_kind */
    uint8_t class;  /* slab: its size class */
    uint16_t step;  /* slab: slots of each block */
    uint32_t first; /* of the run that the unit belongs to */
    union {
        uint32_t length; /* first unit of a run: how many units it has */
        uint32_t used;   /* slab: bytes of the blocks that were ever allocated */
    };
    uint32_t inverse; /* slab: 2^32 divided by the bytes of a block, rounded up */
    union {
        uint64_t size; /* large block: the size asked for */
        struct {
            uint32_t freed; /* slab: blocks freed and not reused */
            uint32_t least; /* slab: size of its smallest block */
        };
        struct {
            uint32_t next, prev; /* free run: neighbours in the list, plus one */
        };
    };
};
_Static_assert(sizeof(struct unit) == 24, "the unit table is dense");
_Static_assert(UNITS_OFFSET + UNITS * sizeof(struct unit) <= SLOTS_OFFSET, "units fit");

struct class
{
    uint32_t freed;       /* slot of the last freed block, plus one */
    uint32_t fresh;       /* slot of the next block never used */
    uint32_t fresh_count; /* of those left in the slab */
};

struct heap {
    uint32_t used;      /* units handed out so far; those above were never touched */
    uint32_t mapped;    /* units that have memory */
    uint32_t free_runs; /* first of the list, plus one */
    /* Freed blocks held back from reuse: slots, plus one; the oldest first. */
    uint32_t held_first, held_last;
    uint64_t held_bytes;
    struct class classes[CLASSES];
};
_Static_assert(sizeof(struct heap) <= UNITS_OFFSET, "the header fits");

/* All state of this file outside the heaps themselves. */
static struct {
    uint64_t mapped[SM_REGION_HEAP_THREADS / 64]; /* one bit each */
    uint32_t n_mapped; /* heaps from this number on have no memory yet, but for SM_HEAP_EARLY */
    bool holds_all;    /* freed blocks are never reused */
} state;

static bool is_mapped(uint32_t number)
{
    return state.mapped[number / 64] >> number % 64 & 1;
}

/* ---- geometry ---- */

static struct heap *heap_of(const void *addr)
{
    uintptr_t offset = (uintptr_t)addr - SM_REGION_HEAP;
    return (struct heap *)(SM_REGION_HEAP + offset / SM_REGION_HEAP_STRIDE * SM_REGION_HEAP_STRIDE);
}

static uint32_t heap_number(const struct heap *heap)
{
    return (uint32_t)(((uintptr_t)heap - SM_REGION_HEAP) / SM_REGION_HEAP_STRIDE);
}

static struct unit *units_of(struct heap *heap)
{
    return (struct unit *)((char *)heap + UNITS_OFFSET);
}

static uint32_t *slots_of(struct heap *heap)
{
    return (uint32_t *)((char *)heap + SLOTS_OFFSET);
}

static char *data_of(struct heap *heap)
{
    return (char *)heap + DATA_OFFSET;
}

static void *slot_block(struct heap *heap, uint32_t slot)
{
    return data_of(heap) + ((size_t)slot << SLOT_SHIFT);
}

static unsigned class_of(size_t size)
{
    if (size <= 128)
        return size ? (unsigned)(size - 1) >> 4 : 0;
    unsigned log = 63 - (unsigned)__builtin_clzl(size - 1);
    return LINEAR_CLASSES + (log - 7) * 4 + ((unsigned)((size - 1) >> (log - 2)) & 3);
}

static size_t class_size(unsigned class)
{
    if (class < LINEAR_CLASSES)
        return (class + 1) * 16ul;
    size_t base = 128ul << (class - LINEAR_CLASSES) / 4;
    return base + base / 4 * ((class - LINEAR_CLASSES) % 4 + 1);
}

/* ---- memory ---- */

/* Like sm_map, but fails with an error if the program asks for too much: 0 or -errno. */
static long try_map(void *at, size_t size)
{
    long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    long result = sm_syscall(SYS_mmap, at, size, (long)(PROT_READ | PROT_WRITE), flags, -1L, 0L);
    return result == (long)at ? 0 : result;
}

static void discard(void *from, size_t size)
{
    sm_syscall(SYS_madvise, from, size, (long)MADV_DONTNEED);
}

static struct heap *heap_get(uint32_t owner)
{
    uint32_t number = owner % SM_REGION_HEAP_THREADS;
    struct heap *heap = (struct heap *)(SM_REGION_HEAP + number * SM_REGION_HEAP_STRIDE);
    if (SM_LIKELY(is_mapped(number)))
        return heap;
    long error = try_map(heap, UNITS_OFFSET + UNITS * sizeof(struct unit));
    /* It may be there from an earlier execution, empty: see restart.h. */
    if (error && error != -EEXIST)
        return NULL;
    state.mapped[number / 64] |= 1ul << number % 64;
    if (number >= state.n_mapped && number != SM_HEAP_EARLY)
        state.n_mapped = number + 1;
    return heap;
}

/* Ensures that the first `units` units have memory, data and slots. */
static bool heap_grow(struct heap *heap, uint32_t units)
{
    if (units <= heap->mapped)
        return true;
    if (units > UNITS)
        return false;
    uint32_t more = (units - heap->mapped + CHUNK_UNITS - 1) / CHUNK_UNITS * CHUNK_UNITS;
    if (more > UNITS - heap->mapped)
        more = (uint32_t)UNITS - heap->mapped;
    size_t from = (size_t)heap->mapped << UNIT_SHIFT, size = (size_t)more << UNIT_SHIFT;
    char *slots = (char *)(slots_of(heap) + (from >> SLOT_SHIFT));
    if (try_map(data_of(heap) + from, size) != 0)
        return false;
    if (try_map(slots, (size >> SLOT_SHIFT) * 4) != 0) {
        sm_syscall(SYS_munmap, data_of(heap) + from, size);
        return false;
    }
    heap->mapped += more;
    return true;
}

/* ---- runs of units: slabs and large blocks come from here ---- */

static void run_unlink(struct heap *heap, uint32_t first)
{
    struct unit *units = units_of(heap), *run = &units[first];
    if (run->prev)
        units[run->prev - 1].next = run->next;
    else
        heap->free_runs = run->next;
    if (run->next)
        units[run->next - 1].prev = run->prev;
}

/* The last unit of a free run names the first, so that the next run can be merged with it. */
static void run_link(struct heap *heap, uint32_t first, uint32_t length)
{
    struct unit *units = units_of(heap);
    units[first + length - 1] = (struct unit){.kind = UNIT_FREE, .first = first};
    units[first] =
        (struct unit){.kind = UNIT_FREE, .first = first, .length = length, .next = heap->free_runs};
    if (heap->free_runs)
        units[heap->free_runs - 1].prev = first + 1;
    heap->free_runs = first + 1;
}

static void run_free(struct heap *heap, uint32_t first, uint32_t length)
{
    struct unit *units = units_of(heap);
    uint32_t behind = first + length;
    if (behind < heap->used && units[behind].kind == UNIT_FREE) {
        run_unlink(heap, behind);
        length += units[behind].length;
    }
    if (first > 0 && units[first - 1].kind == UNIT_FREE) {
        uint32_t before = units[first - 1].first;
        run_unlink(heap, before);
        length += first - before;
        first = before;
    }
    run_link(heap, first, length);
}

/* Keeps [start, start + length) of a free run that holds it; the rest stays free. */
static void run_cut(struct heap *heap, uint32_t first, uint32_t start, uint32_t length)
{
    uint32_t end = first + units_of(heap)[first].length;
    run_unlink(heap, first);
    if (start > first)
        run_link(heap, first, start - first);
    if (end > start + length)
        run_link(heap, start + length, end - start - length);
}

static uint32_t align_up(uint32_t value, uint32_t align)
{
    return (value + align - 1) & ~(align - 1);
}

/* First fit in the list of free runs, which starts with the run freed last. */
static bool run_reuse(struct heap *heap, uint32_t length, uint32_t align, uint32_t *start)
{
    struct unit *units = units_of(heap);
    for (uint32_t link = heap->free_runs; link; link = units[link - 1].next) {
        uint32_t first = link - 1, end = first + units[first].length;
        uint32_t from = align_up(first, align);
        if (from + length > end)
            continue;
        run_cut(heap, first, from, length);
        *start = from;
        return true;
    }
    return false;
}

static bool run_alloc(struct heap *heap, uint32_t length, uint32_t align, uint32_t *start)
{
    if (run_reuse(heap, length, align, start))
        return true;
    uint32_t from = align_up(heap->used, align);
    if (from > UNITS || length > UNITS - from || !heap_grow(heap, from + length))
        return false;
    uint32_t gap = heap->used;
    heap->used = from + length;
    if (from > gap)
        run_free(heap, gap, from - gap);
    *start = from;
    return true;
}

/* ---- small blocks ---- */

static bool new_slab(struct heap *heap, unsigned class)
{
    uint32_t unit;
    if (!run_alloc(heap, 1, 1, &unit))
        return false;
    uint32_t size = (uint32_t)class_size(class);
    units_of(heap)[unit] = (struct unit){.kind = UNIT_SLAB,
                                         .class = (uint8_t)class,
                                         .step = (uint16_t)(size >> SLOT_SHIFT),
                                         .first = unit,
                                         .inverse = (uint32_t)((1ul << 32) / size) + 1,
                                         .least = UINT32_MAX};
    heap->classes[class].fresh = unit << (UNIT_SHIFT - SLOT_SHIFT);
    heap->classes[class].fresh_count = (uint32_t)UNIT_SIZE / size;
    return true;
}

static struct unit *unit_of(struct heap *heap, uint32_t slot)
{
    return &units_of(heap)[slot >> (UNIT_SHIFT - SLOT_SHIFT)];
}

static void set_size(struct heap *heap, uint32_t slot, size_t size)
{
    struct unit *unit = unit_of(heap, slot);
    slots_of(heap)[slot] = SLOT(SLOT_SMALL, size);
    if (size < unit->least)
        unit->least = (uint32_t)size;
}

static uint32_t take_fresh(struct heap *heap, struct class *c)
{
    uint32_t slot = c->fresh;
    struct unit *unit = unit_of(heap, slot);
    c->fresh += unit->step;
    c->fresh_count--;
    unit->used += (uint32_t)unit->step << SLOT_SHIFT;
    return slot;
}

static uint32_t take_freed(struct heap *heap, struct class *c)
{
    uint32_t slot = c->freed - 1;
    c->freed = SLOT_REST(slots_of(heap)[slot]);
    unit_of(heap, slot)->freed--;
    return slot;
}

static void *small_alloc(struct heap *heap, unsigned class, size_t size)
{
    struct class *c = &heap->classes[class];
    if (!c->freed && !c->fresh_count && !new_slab(heap, class))
        return NULL;
    uint32_t slot = c->freed ? take_freed(heap, c) : take_fresh(heap, c);
    set_size(heap, slot, size);
    return slot_block(heap, slot);
}

static void small_release(struct heap *heap, uint32_t slot, const struct unit *unit)
{
    struct class *c = &heap->classes[unit->class];
    slots_of(heap)[slot] = SLOT(SLOT_FREED, c->freed);
    c->freed = slot + 1;
}

/* ---- large blocks ---- */

static uint32_t large_length(size_t size)
{
    return (uint32_t)((size + GAP + UNIT_SIZE - 1) >> UNIT_SHIFT);
}

static void *large_alloc(struct heap *heap, size_t size, size_t align)
{
    if (align > DATA_SIZE)
        return NULL;
    uint32_t length = large_length(size), start;
    uint32_t align_units = align > UNIT_SIZE ? (uint32_t)(align >> UNIT_SHIFT) : 1;
    if (!run_alloc(heap, length, align_units, &start))
        return NULL;
    struct unit *units = units_of(heap);
    units[start] =
        (struct unit){.kind = UNIT_LARGE, .first = start, .length = length, .size = size};
    for (uint32_t i = 1; i < length; i++)
        units[start + i] = (struct unit){.kind = UNIT_LARGE_TAIL, .first = start};
    uint32_t slot = start << (UNIT_SHIFT - SLOT_SHIFT);
    slots_of(heap)[slot] = SLOT(SLOT_LARGE, 0);
    return slot_block(heap, slot);
}

static void large_release(struct heap *heap, uint32_t slot, const struct unit *unit)
{
    slots_of(heap)[slot] = SLOT(SLOT_UNUSED, 0);
    run_free(heap, slot >> (UNIT_SHIFT - SLOT_SHIFT), unit->length);
}

/* ---- freed blocks ---- */

static uint64_t room_of(const struct unit *unit)
{
    return unit->kind == UNIT_SLAB ? (uint64_t)unit->step << SLOT_SHIFT
                                   : (uint64_t)unit->length << UNIT_SHIFT;
}

/* What will be written when the block is released, and then allocated: it has not been used while
   4 MiB were freed, and waiting for it took a third of a loop of malloc and free. Two releases
   ahead: one takes 40 ns in such a loop, less than memory. */
static void fetch(struct heap *heap, uint32_t slot)
{
    char *block = slot_block(heap, slot);
    __builtin_prefetch(&slots_of(heap)[slot], 1);
    __builtin_prefetch(block, 1);
    __builtin_prefetch(block + room_of(unit_of(heap, slot)) - sizeof(struct sm_heap_note), 1);
}

static void release_oldest(struct heap *heap)
{
    uint32_t slot = heap->held_first - 1;
    const struct unit *unit = unit_of(heap, slot);
    uint32_t next = SLOT_REST(slots_of(heap)[slot]);
    heap->held_first = next;
    uint32_t after = next ? SLOT_REST(slots_of(heap)[next - 1]) : 0;
    if (!next)
        heap->held_last = 0;
    else if (after)
        fetch(heap, after - 1);
    heap->held_bytes -= room_of(unit);
    if (unit->kind == UNIT_SLAB)
        small_release(heap, slot, unit);
    else
        large_release(heap, slot, unit);
}

static void hold(struct heap *heap, uint32_t slot)
{
    struct unit *unit = unit_of(heap, slot);
    uint32_t *slots = slots_of(heap);
    unit->freed += unit->kind == UNIT_SLAB;
    if (unit->kind == UNIT_SLAB)
        slots[slot + 1] = SLOT(SLOT_UNUSED, SLOT_REST(slots[slot]));
    else if (unit->size >= DISCARD_MIN)
        discard(slot_block(heap, slot), ((size_t)unit->length << UNIT_SHIFT) - NOTE_PAGE);
    slots[slot] = SLOT(SLOT_FREED, 0);
    if (heap->held_last)
        slots[heap->held_last - 1] = SLOT(SLOT_FREED, slot + 1);
    else
        heap->held_first = slot + 1;
    heap->held_last = slot + 1;
    heap->held_bytes += room_of(unit);
    while (heap->held_bytes > HELD_MOST && !state.holds_all)
        release_oldest(heap);
}

/* ---- the interface ---- */

void *sm_heap_alloc(uint32_t owner, size_t size, size_t align)
{
    struct heap *heap = heap_get(owner);
    if (!heap || size > DATA_SIZE)
        return NULL;
    /* Slabs start at multiples of UNIT_SIZE, so power-of-two blocks are aligned to their size. */
    size_t room = (size ? size : 1) + GAP;
    if (align > 16 && align <= SMALL_MAX)
        room = room > align ? 1ul << (64 - __builtin_clzl(room - 1)) : align;
    if (room <= SMALL_MAX && align <= SMALL_MAX)
        return small_alloc(heap, class_of(room), size);
    return large_alloc(heap, size ? size : 1, align);
}

void *sm_heap_alloc_zeroed(uint32_t owner, size_t size)
{
    void *block = sm_heap_alloc(owner, size, 16);
    if (!block)
        return NULL;
    if (size >= DISCARD_MIN)
        discard(block, size);
    else
        memset(block, 0, size);
    return block;
}

/* Looks up the start of a block: its heap and slot, if there is one. */
static enum sm_heap_state find(const void *block, struct heap **heap, uint32_t *slot)
{
    *heap = heap_of(block);
    uintptr_t offset = (uintptr_t)block - (uintptr_t)data_of(*heap);
    if (!sm_heap_owns(block) || !is_mapped(heap_number(*heap)) || offset % 16 != 0 ||
        offset >= (uintptr_t)(*heap)->used << UNIT_SHIFT)
        return SM_HEAP_BAD;
    *slot = (uint32_t)(offset >> SLOT_SHIFT);
    switch (SLOT_STATE(slots_of(*heap)[*slot])) {
    case SLOT_SMALL:
    case SLOT_LARGE:
        return SM_HEAP_LIVE;
    case SLOT_FREED:
        return SM_HEAP_FREED;
    default:
        return SM_HEAP_BAD;
    }
}

enum sm_heap_state sm_heap_free(void *block)
{
    struct heap *heap;
    uint32_t slot;
    enum sm_heap_state was = find(block, &heap, &slot);
    if (was == SM_HEAP_LIVE)
        hold(heap, slot);
    return was;
}

void sm_heap_free_live(void *block)
{
    struct heap *heap = heap_of(block);
    hold(heap, (uint32_t)(((uintptr_t)block - (uintptr_t)data_of(heap)) >> SLOT_SHIFT));
}

enum sm_heap_state sm_heap_query(const void *block, size_t *size)
{
    struct heap *heap;
    uint32_t slot;
    enum sm_heap_state is = find(block, &heap, &slot);
    if (is != SM_HEAP_LIVE)
        return is;
    uint32_t word = slots_of(heap)[slot];
    *size = SLOT_STATE(word) == SLOT_SMALL ? SLOT_REST(word)
                                           : units_of(heap)[slot >> (UNIT_SHIFT - SLOT_SHIFT)].size;
    return is;
}

bool sm_heap_resize(void *block, size_t size)
{
    struct heap *heap;
    uint32_t slot;
    if (find(block, &heap, &slot) != SM_HEAP_LIVE)
        return false;
    struct unit *unit = &units_of(heap)[slot >> (UNIT_SHIFT - SLOT_SHIFT)];
    if (unit->kind == UNIT_SLAB) {
        /* Growing into the next class, or shrinking by more than half, moves the block. */
        size_t room = class_size(unit->class);
        if (size + GAP > room || (room > 64 && size < room / 2))
            return false;
        set_size(heap, slot, size);
        return true;
    }
    if (size + GAP <= SMALL_MAX || large_length(size) != unit->length)
        return false;
    unit->size = size;
    return true;
}

void sm_heap_reserve(const void *addr)
{
    uintptr_t number = ((uintptr_t)addr - SM_REGION_HEAP) / SM_REGION_HEAP_STRIDE;
    struct heap *heap = heap_get((uint32_t)number);
    uintptr_t start = heap ? (uintptr_t)data_of(heap) : 0;
    if (heap && (uintptr_t)addr >= start)
        heap_grow(heap, (uint32_t)(((uintptr_t)addr - start) >> UNIT_SHIFT) + 1);
}

/* The number of the block of a slab. */
static uint32_t nth_block(const struct unit *slab, uint32_t offset)
{
    return (uint32_t)((uint64_t)offset * slab->inverse >> 32);
}

/* The slot of the block, live or not, that contains this offset in the data of its heap. */
static bool slot_at(struct heap *heap, uintptr_t offset, uint32_t *slot)
{
    if (!is_mapped(heap_number(heap)) || offset >= (uintptr_t)heap->used << UNIT_SHIFT)
        return false;
    const struct unit *unit = &units_of(heap)[offset >> UNIT_SHIFT];
    *slot = unit->first << (UNIT_SHIFT - SLOT_SHIFT);
    if (unit->kind == UNIT_SLAB)
        *slot += nth_block(unit, (uint32_t)(offset % UNIT_SIZE)) * unit->step;
    return unit->kind != UNIT_UNUSED && unit->kind != UNIT_FREE;
}

enum sm_heap_state sm_heap_look(uintptr_t addr, uintptr_t *start, size_t *size)
{
    struct heap *heap = heap_of((void *)addr);
    uint32_t slot;
    if (!sm_heap_owns((void *)addr) || !slot_at(heap, addr - (uintptr_t)data_of(heap), &slot))
        return SM_HEAP_BAD;
    uint32_t word = slots_of(heap)[slot];
    bool slab = unit_of(heap, slot)->kind == UNIT_SLAB;
    *start = (uintptr_t)slot_block(heap, slot);
    switch (SLOT_STATE(word)) {
    case SLOT_SMALL:
        *size = SLOT_REST(word);
        return SM_HEAP_LIVE;
    case SLOT_LARGE:
        *size = unit_of(heap, slot)->size;
        return SM_HEAP_LIVE;
    case SLOT_FREED:
        *size = slab ? SLOT_REST(slots_of(heap)[slot + 1]) : unit_of(heap, slot)->size;
        return SM_HEAP_FREED;
    default:
        return SM_HEAP_BAD;
    }
}

enum sm_heap_state sm_heap_small(uintptr_t addr, uintptr_t *start)
{
    struct heap *heap = heap_of((void *)addr);
    uint32_t slot;
    if (!sm_heap_owns((void *)addr) || !slot_at(heap, addr - (uintptr_t)data_of(heap), &slot) ||
        unit_of(heap, slot)->kind != UNIT_SLAB)
        return SM_HEAP_BAD;
    *start = (uintptr_t)slot_block(heap, slot);
    switch (SLOT_STATE(slots_of(heap)[slot])) {
    case SLOT_SMALL:
        return SM_HEAP_LIVE;
    case SLOT_FREED:
        return SM_HEAP_FREED;
    default:
        return SM_HEAP_BAD;
    }
}

/* The first live block of the unit at this slot or above; UINT32_MAX: none. */
static uint32_t live_in_unit(struct heap *heap, uint32_t number, uint32_t slot)
{
    const struct unit *unit = &units_of(heap)[number];
    uint32_t first = number << (UNIT_SHIFT - SLOT_SHIFT);
    bool slab = unit->kind == UNIT_SLAB;
    uint32_t step = slab ? unit->step : 1;
    uint32_t n = slab ? (uint32_t)(UNIT_SIZE >> SLOT_SHIFT) / step : unit->kind == UNIT_LARGE;
    for (uint32_t i = slot > first ? (slot - first + step - 1) / step : 0; i < n; i++) {
        uint32_t at = first + i * step, is = SLOT_STATE(slots_of(heap)[at]);
        if (is == SLOT_SMALL || is == SLOT_LARGE)
            return at;
    }
    return UINT32_MAX;
}

static uintptr_t next_in_heap(struct heap *heap, uintptr_t offset)
{
    uint32_t slot = (uint32_t)((offset + (1u << SLOT_SHIFT) - 1) >> SLOT_SHIFT);
    for (uint32_t unit = slot >> (UNIT_SHIFT - SLOT_SHIFT); unit < heap->used; unit++) {
        uint32_t live = live_in_unit(heap, unit, slot);
        if (live != UINT32_MAX)
            return (uintptr_t)slot_block(heap, live);
    }
    return 0;
}

static uint32_t heap_after(uint32_t number)
{
    if (number + 1 < state.n_mapped)
        return number + 1;
    return number < SM_HEAP_EARLY ? SM_HEAP_EARLY : SM_HEAP_EARLY + 1;
}

uintptr_t sm_heap_next(uintptr_t addr, size_t *size)
{
    uintptr_t found = 0;
    uint32_t number = addr > SM_REGION_HEAP ? heap_number(heap_of((void *)addr)) : 0;
    for (; !found && number <= SM_HEAP_EARLY; number = heap_after(number)) {
        struct heap *heap = (struct heap *)(SM_REGION_HEAP + number * SM_REGION_HEAP_STRIDE);
        uintptr_t data = (uintptr_t)data_of(heap);
        if (is_mapped(number))
            found = next_in_heap(heap, addr > data ? addr - data : 0);
    }
    if (found)
        sm_heap_query((void *)found, size);
    return found;
}

/* ---- notes for reports ---- */

struct sm_heap_note *sm_heap_note(const void *block)
{
    struct heap *heap = heap_of(block);
    uintptr_t unit = ((uintptr_t)block - (uintptr_t)data_of(heap)) >> UNIT_SHIFT;
    uintptr_t end = (uintptr_t)block + room_of(&units_of(heap)[unit]);
    return (struct sm_heap_note *)(end - sizeof(struct sm_heap_note));
}
_Static_assert(sizeof(struct sm_heap_note) <= GAP, "the note fits");

/* ---- uninitialised memory ---- */

enum { FILL_MOST = 1 << 16 }; /* bytes of a block, from its start */

static uint64_t filling(uintptr_t addr)
{
    return (addr / 8 + 1) * 0x9e3779b97f4a7c15u;
}

void sm_heap_fill(void *block, size_t size)
{
    size_t most = size < FILL_MOST ? size : FILL_MOST;
    for (size_t at = 0; at < most; at += 8) {
        uint64_t value = filling((uintptr_t)block + at);
        memcpy((char *)block + at, &value, most - at < 8 ? most - at : 8);
    }
}

/* For a small value the whole granule must match: one byte may be equal by chance. */
bool sm_heap_is_filled(uintptr_t addr, unsigned size, uint64_t value)
{
    enum { TELLING = 4 };
    uint64_t whole = filling(addr), now;
    unsigned shift = 8 * (addr % 8);
    uint64_t mask = size < 8 ? (1ul << 8 * size) - 1 : UINT64_MAX;
    if (value != (whole >> shift & mask))
        return false;
    memcpy(&now, (const void *)(addr & ~7ul), sizeof now);
    return size >= TELLING || now == whole;
}

/* ---- accesses ---- */

/* The unit is enough to decide most accesses, as long as none of its blocks was freed. Looking at
   the slot, too, costs a program that walks through many small blocks a fifth of its time
   (bench/engine/compute/hashmap.c). */
static bool is_in_slab(struct heap *heap, const struct unit *unit, uint32_t offset, unsigned size)
{
    uint32_t first = nth_block(unit, offset) * unit->step; /* slot of the block */
    uint32_t end = offset - (first << SLOT_SHIFT) + size;
    if (SM_LIKELY(!unit->freed && end <= unit->least))
        return offset < unit->used;
    uint32_t word = slots_of(heap)[(unit->first << (UNIT_SHIFT - SLOT_SHIFT)) + first];
    return SLOT_STATE(word) == SLOT_SMALL && end <= SLOT_REST(word);
}

static bool is_in_large(struct heap *heap, const struct unit *unit, uintptr_t offset, unsigned size)
{
    uint32_t word = slots_of(heap)[unit->first << (UNIT_SHIFT - SLOT_SHIFT)];
    return SLOT_STATE(word) == SLOT_LARGE &&
           offset - ((uintptr_t)unit->first << UNIT_SHIFT) + size <=
               units_of(heap)[unit->first].size;
}

bool sm_heap_has(uintptr_t addr, unsigned size)
{
    struct heap *heap = heap_of((void *)addr);
    uintptr_t offset = addr - (uintptr_t)data_of(heap);
    if (!is_mapped(heap_number(heap)) || offset >= (uintptr_t)heap->used << UNIT_SHIFT)
        return false;
    const struct unit *unit = &units_of(heap)[offset >> UNIT_SHIFT];
    if (unit->kind == UNIT_SLAB)
        return is_in_slab(heap, unit, (uint32_t)(offset % UNIT_SIZE), size);
    return (unit->kind == UNIT_LARGE || unit->kind == UNIT_LARGE_TAIL) &&
           is_in_large(heap, unit, offset, size);
}

bool sm_heap_block(uintptr_t addr, uintptr_t *start, size_t *size, uint32_t *owner)
{
    if (sm_heap_look(addr, start, size) != SM_HEAP_LIVE || addr - *start >= *size)
        return false;
    *owner = heap_number(heap_of((void *)addr));
    return true;
}

void sm_heap_hold_all(bool all)
{
    state.holds_all = all;
}

void sm_heap_reset(void)
{
    for (uint32_t number = 0; number < state.n_mapped; number++) {
        struct heap *heap = (struct heap *)(SM_REGION_HEAP + number * SM_REGION_HEAP_STRIDE);
        if (!is_mapped(number) || !heap->used)
            continue;
        size_t bytes = (size_t)heap->used << UNIT_SHIFT;
        uint32_t mapped = heap->mapped;
        discard(data_of(heap), bytes);
        discard(slots_of(heap), (bytes >> SLOT_SHIFT) * 4);
        memset(units_of(heap), 0, heap->used * sizeof(struct unit));
        *heap = (struct heap){.mapped = mapped};
    }
}

void sm_heap_each_early(void (*each)(char *at, char *end))
{
    struct heap *heap = (struct heap *)(SM_REGION_HEAP + SM_HEAP_EARLY * SM_REGION_HEAP_STRIDE);
    if (!is_mapped(SM_HEAP_EARLY))
        return;
    each((char *)heap, (char *)(heap + 1));
    each((char *)units_of(heap), (char *)(units_of(heap) + heap->used));
    for (uint32_t number = 0; number < heap->used; number++) {
        uint32_t first = number << (UNIT_SHIFT - SLOT_SHIFT), n = 1;
        const struct unit *unit = &units_of(heap)[number];
        if (unit->kind == UNIT_SLAB) {
            uint32_t fresh = heap->classes[unit->class].fresh - first;
            n = fresh < UNIT_SIZE >> SLOT_SHIFT ? fresh : UNIT_SIZE >> SLOT_SHIFT;
        }
        each((char *)(slots_of(heap) + first), (char *)(slots_of(heap) + first + n));
    }
}
