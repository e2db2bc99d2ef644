/*
 * sync.h - pthreads, threads.h and semaphore.h where executions are enumerated
 * (runtime/sync/operations.h). Whether an object is free the engine says (graph/objects.h, or the
 * states of hb); how deep a thread holds it the thread knows by itself.
 */
#ifndef SM_VERIFY_SYNC_H
#define SM_VERIFY_SYNC_H

#include "runtime/sync/operations.h"

extern const struct sm_sync_operations sm_sync_verify;

/* A fence or a yield in a spin loop is part of the waiting. */
bool sm_sync_is_waiting(uint8_t kind);
/* The operations above have put the event into the graph or the state, or it orders nothing. */
bool sm_sync_is_modelled(uint8_t kind);
/* Of an event that is not: verify refuses the program. */
_Noreturn void sm_sync_refuse(uint8_t kind);

#endif
