/*
 * heap.h - the heaps of a controlled program: one for each thread, at a fixed address.
 *
 * The address of a block is a function of what its thread allocated and of what was
 * freed before, never of the kernel or of other threads' allocations, so pointers are
 * the same in each execution with the same choices, and mostly the same across
 * schedules. A block that another thread frees goes back to the heap it came from.
 *
 * Only the running thread calls in here (one thread runs at a time), so there are no
 * locks. A program that is not under control uses libc's heap instead: see
 * intercept/malloc.c, which decides by address whose block it has.
 *
 * There is a gap after each block, and a freed block is not used again before 4 MiB of its heap
 * have been freed after it, so that an access outside of a block, or to a freed one, is seen to be
 * one (analysis/memory.c).
 *
 * Everything the heap knows about a block is kept away from the block, so that a
 * program that writes where it should not cannot break the heap itself. A heap fills
 * its stride of the address space like this:
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

/* Gives the address its memory, if it will be one of a block, without allocating anything. */
void sm_heap_reserve(const void *addr);

/* Is the address inside the heaps' part of the address space? */
bool sm_heap_owns(const void *addr);
/* State of the block that starts here and, if it lives, the size asked for. */
enum sm_heap_state sm_heap_query(const void *block, size_t *size);
/* What the room that contains addr holds: the block that begins it and, unless the state is
   SM_HEAP_BAD, the size asked for. The address may be in the gap after the block. */
enum sm_heap_state sm_heap_look(uintptr_t addr, uintptr_t *start, size_t *size);
/* The live block that contains addr, and the thread whose heap it is in. */
bool sm_heap_block(uintptr_t addr, uintptr_t *start, size_t *size, uint32_t *owner);

/* The first live block that starts at this address or above, in the order of addresses; 0: none. */
uintptr_t sm_heap_next(uintptr_t addr, size_t *size);

/* For reports: where a block was allocated and freed, as callers like to put it; 0 if it was not.
   Kept in the gap after the block, where a program that writes outside of its blocks may spoil it.
 */
struct sm_heap_note {
    uint64_t allocated, freed;
};
struct sm_heap_note *sm_heap_note(const void *block);

/*
 * Memory that nobody wrote. A granule of 8 bytes is filled with a value that is made of its address
 * and nothing else is likely to store there: what code that is not instrumented writes is seen to
 * be written, and a copy of the granule elsewhere does not look like one.
 */
void sm_heap_fill(void *block, size_t size);
/* The value, read there, is that of memory that was filled, and not written since. */
bool sm_heap_is_filled(uintptr_t addr, unsigned size, uint64_t value);

/* Is the access inside of a live block? */
bool sm_heap_has(uintptr_t addr, unsigned size);
/* From now on freed blocks are never used again, or as described above. */
void sm_heap_hold_all(bool all);
/* Forgets every block: the next execution finds the heaps as the first one did. */
void sm_heap_reset(void);

#endif
