/*
 * blocks.h - who allocated a block of the heap, and who freed it: for reports.
 *
 * Told by intercept/malloc.c. Whole stacks are kept where the execution is recorded, which every
 * one is that is shown with a witness; elsewhere the callers of malloc and free alone, since a
 * stack for each would double the cost of an allocation (110 ns). Not while verify enumerates
 * executions: those that are shown are made again.
 */
#ifndef SM_RUNTIME_BLOCKS_H
#define SM_RUNTIME_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/harm.h"

void sm_blocks_start(void); /* an execution begins */
/* `pc`: behind the call. */
void sm_blocks_allocated(const void *block, const void *pc);
void sm_blocks_freed(const void *block, const void *pc);

/* Where the block was allocated and, if it was, freed. */
enum { SM_BLOCK_PLACES = 2 };
uint32_t sm_blocks_places(uintptr_t start, struct sm_harm_place places[SM_BLOCK_PLACES]);

#endif
