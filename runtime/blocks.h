/*
 * blocks.h - where a block of the heap was allocated and freed, for reports.
 *
 * Called by intercept/malloc.c. Full stacks are kept if the execution is recorded, as every
 * execution with a witness is, or if races are looked for; otherwise only the callers of malloc and
 * free, because a stack for each would double the cost of an allocation (110 ns). Not while verify
 * enumerates executions: those that are shown are run again.
 */
#ifndef SM_RUNTIME_BLOCKS_H
#define SM_RUNTIME_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/harm.h"

void sm_blocks_start(void); /* an execution begins */
/* `pc`: return address of the call. */
void sm_blocks_allocated(const void *block, const void *pc);
void sm_blocks_freed(const void *block, const void *pc);

/* Where the block was allocated and, if it was, freed. */
enum { SM_BLOCK_PLACES = 2 };
uint32_t sm_blocks_places(uintptr_t start, struct sm_harm_place places[SM_BLOCK_PLACES]);

#endif
