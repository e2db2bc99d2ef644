/*
 * sync.h - pthreads, threads.h and semaphore.h where executions are enumerated
 * (runtime/sync/operations.h). The engine has the state of an object (graph/objects.h, or the
 * states of hb); its recursion depth is local to the thread.
 */
#ifndef SM_VERIFY_SYNC_H
#define SM_VERIFY_SYNC_H

#include "runtime/sync/operations.h"

extern const struct sm_sync_operations sm_sync_verify;

/* A fence or a yield in a spin loop is part of the waiting. */
bool sm_sync_is_waiting(uint8_t kind);
/* The operations above have put the event into the graph or the state, or it orders nothing. */
bool sm_sync_is_modelled(uint8_t kind);
/* Refuses a program that has such an event. */
_Noreturn void sm_sync_refuse(uint8_t kind);

#endif
