/*
 * pool.h - memory that outlives an execution.
 *
 * Memory from sm_alloc is gone when the next execution starts (restart.h); graphs, pending
 * revisits and counts must persist. Blocks are powers of two in separate pages. The pool's own
 * state is in such pages, too, so a restart does not restore it.
 */
#ifndef SM_VERIFY_POOL_H
#define SM_VERIFY_POOL_H

#include <stddef.h>
#include <stdint.h>

void sm_pool_start(void);       /* before restart.c saves the program's state */
void *sm_pool_get(size_t size); /* not zeroed */
void sm_pool_put(void *block, size_t size);
/* A block of twice the capacity, with the old contents. */
void *sm_pool_double(void *block, size_t size);
/* An array of *capacity items: doubled until it has item n. */
static inline void *sm_pool_room(void *block, uint32_t *capacity, uint32_t n, size_t size)
{
    for (; n >= *capacity; *capacity *= 2)
        block = sm_pool_double(block, *capacity * size);
    return block;
}

#endif
