/*
 * heap.h - the heaps of a controlled program: one for each thread, at a fixed address.
 *
 * The address of a block depends on what its thread allocated and on what was freed before, never
 * on the kernel or on other threads' allocations, so pointers are the same in each execution with
 * the same choices, and mostly the same across schedules. A block that another thread frees
 * returns to the heap it came from.
 *
 * Only the running thread calls in here (one thread runs at a time), so there are no locks. A
 * program that is not under control uses libc's heap instead: intercept/malloc.c tells the blocks
 * apart by address.
 *
 * What constructors allocate before main is in a heap of its own, SM_HEAP_EARLY.
 *
 * There is a gap after each block, and a freed block is not reused before 4 MiB of its heap have
 * been freed after it, so that accesses outside of a block, or to a freed one, are detected
 * (analysis/memory.c).
 *
 * All metadata is kept away from the blocks, so that a stray write of the program cannot corrupt
 * the heap. Layout of a heap in its stride of the address space:
 *
 *     header, units   what each 64 KiB unit is used for
 *     slots           one word for each 16 bytes of data: a block's state and size
 *     data            3 GiB, mapped 4 MiB at a time
 */
#ifndef SM_RUNTIME_HEAP_H
#define SM_RUNTIME_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/layout.h"

/* Instead of a thread's number: blocks from before main. It is not emptied by sm_heap_reset. */
#define SM_HEAP_EARLY ((uint32_t)SM_REGION_HEAP_THREADS - 1)

enum sm_heap_state {
    SM_HEAP_LIVE,
    SM_HEAP_FREED, /* was a block, and has been freed */
    SM_HEAP_BAD,   /* never was the start of a block */
};

/* A block in the heap of thread `owner`; NULL when there is no room. align is a power of
   two; every block is aligned to 16. The memory is as the last owner left it. */
void *sm_heap_alloc(uint32_t owner, size_t size, size_t align);
/* The same, zeroed. */
void *sm_heap_alloc_zeroed(uint32_t owner, size_t size);
/* Changes the size in place if the block's room allows it. */
bool sm_heap_resize(void *block, size_t size);
/* Frees a block. Does nothing unless the state was SM_HEAP_LIVE. */
enum sm_heap_state sm_heap_free(void *block);
void sm_heap_free_live(void *block); /* the state is known to be SM_HEAP_LIVE */

/* Maps memory for an address that may become part of a block, without allocating anything. */
void sm_heap_reserve(const void *addr);

/* Is the address inside the heaps' part of the address space? */
static inline bool sm_heap_owns(const void *addr)
{
    return (uintptr_t)addr - SM_REGION_HEAP < SM_REGION_HEAP_THREADS * SM_REGION_HEAP_STRIDE;
}
/* State of the block that starts here and, if it is live, the requested size. */
enum sm_heap_state sm_heap_query(const void *block, size_t *size);
/* The slot that contains addr: the block that starts it and, unless the state is SM_HEAP_BAD, its
   requested size. The address may be in the gap after the block. */
enum sm_heap_state sm_heap_look(uintptr_t addr, uintptr_t *start, size_t *size);
/* The state of the small block that contains addr, and its start, or that of the block last there;
   such blocks never change their places. SM_HEAP_BAD: it is not in such a block. */
enum sm_heap_state sm_heap_small(uintptr_t addr, uintptr_t *start);
/* The live block that contains addr, and the thread whose heap it is in. */
bool sm_heap_block(uintptr_t addr, uintptr_t *start, size_t *size, uint32_t *owner);

/* The first live block that starts at this address or above, in the order of addresses; 0: none. */
uintptr_t sm_heap_next(uintptr_t addr, size_t *size);

/* For reports: where a block was allocated and freed, in a form of the caller's choice; 0 if it was
   not. Kept in the gap after the block, where a stray write of the program may spoil it. */
struct sm_heap_note {
    uint64_t allocated, freed;
};
struct sm_heap_note *sm_heap_note(const void *block);

/*
 * Uninitialised memory. A granule of 8 bytes is filled with a value derived from its address,
 * which nothing else is likely to store there: so writes of uninstrumented code are noticed, and a
 * copy of the granule elsewhere does not look uninitialised.
 */
void sm_heap_fill(void *block, size_t size);
/* The value read there is that of memory that was filled and not written since. */
bool sm_heap_is_filled(uintptr_t addr, unsigned size, uint64_t value);

/* Is the access inside of a live block? */
bool sm_heap_has(uintptr_t addr, unsigned size);
/* From now on freed blocks are never reused, or as described above. */
void sm_heap_hold_all(bool all);
/* Forgets every block: the next execution finds the heaps in the initial state. */
void sm_heap_reset(void);
/* Calls `each` for the metadata of SM_HEAP_EARLY, which executions change by freeing blocks. */
void sm_heap_each_early(void (*each)(char *at, char *end));

#endif
