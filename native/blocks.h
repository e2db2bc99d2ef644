/*
 * blocks.h - the origin of heap blocks, for reports.
 *
 * Kept in the shadow itself: the program does not use libc's word before a block, so its cell can
 * hold the number of an origin (call site, thread). A report finds the block of an address by
 * walking back to the nearest such cell.
 */
#ifndef SM_NATIVE_BLOCKS_H
#define SM_NATIVE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/site.h"

struct sm_block_origin {
    const struct sm_site *site; /* of the call to malloc; NULL: unknown */
    uint32_t thread;
};

struct sm_heap_block {
    uintptr_t start;
    size_t size;
    struct sm_block_origin origin;
};

/* The site of accesses by free itself. */
extern const struct sm_site sm_free_site;

/* The running thread allocated a block, by its last call; the program did not ask for the last
   `slack` bytes. */
void sm_block_begin(uintptr_t start, size_t slack);
bool sm_block_find(uintptr_t addr, struct sm_heap_block *block);
/* What is still known of a freed block that had `usable` bytes, according to libc. */
void sm_block_ended(uintptr_t start, size_t usable, struct sm_heap_block *block);
/* Copies memory that may be unmapped; false if it is. */
bool sm_memory_copy(void *to, uintptr_t from, size_t size);

#endif
