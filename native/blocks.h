/*
 * blocks.h - where a heap block was allocated, so that a report can say it.
 *
 * Kept in the shadow itself: libc's word before a block is no memory of the program's, so
 * its cell is free to hold the number of an origin (which call, which thread). A report
 * finds the block of an address by walking back to the nearest such cell.
 */
#ifndef SM_NATIVE_BLOCKS_H
#define SM_NATIVE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/site.h"

struct sm_block_origin {
    const struct sm_site *site; /* of the call to malloc; NULL if not known */
    uint32_t thread;
};

struct sm_heap_block {
    uintptr_t start;
    size_t size;
    struct sm_block_origin origin;
};

/* The row of an access by free itself. */
extern const struct sm_site sm_free_site;

/* A block was handed to the running thread, by the call it made last; `slack` bytes at its end
   were not asked for. */
void sm_block_begin(uintptr_t start, size_t slack);
bool sm_block_find(uintptr_t addr, struct sm_heap_block *block);
/* Of a block that was freed, of which libc said that it has `usable` bytes: what is still known. */
void sm_block_ended(uintptr_t start, size_t usable, struct sm_heap_block *block);
/* Copies memory that may be gone; false if it is. */
bool sm_memory_copy(void *to, uintptr_t from, size_t size);

#endif
