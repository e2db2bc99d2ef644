/*
 * memory.h - accesses to heap memory outside of live blocks: for accesses that the analysis does
 * not see (verify/run/frees.h).
 */
#ifndef SM_ANALYSIS_MEMORY_H
#define SM_ANALYSIS_MEMORY_H

#include <stdbool.h>

#include "runtime/blocks.h"
#include "runtime/event.h"

/* The access is to a freed block, or to no block. */
bool sm_memory_is_wrong(const struct sm_event *event);
/* Ends the execution with that error. */
void sm_memory_report(const struct sm_event *event);
/* Ends the execution with a use after free, whether or not the heap knows of the free. */
void sm_memory_report_freed(const struct sm_event *event);
/* Ends the execution if by program order alone the access is to a frame that no longer exists: of
   its own thread, or of a thread that this one has joined. */
void sm_memory_check_frames(const struct sm_event *event);
/* Ends the execution with an access to the local of a function that has returned. */
void sm_memory_report_returned(const struct sm_event *event);
/* If the access is a load, not a copy, of uninitialised heap memory: ends the execution with that
   error, if the options ask for it. */
void sm_memory_check_written(const struct sm_event *event);
/* Where the block of the address was allocated and freed. */
uint32_t sm_memory_places(uintptr_t addr, struct sm_harm_place places[SM_BLOCK_PLACES]);

#endif
