/*
 * aside.h - accesses that a call makes for the program, and that are no events: to the buffer it
 * fills or uses, to the lock or the descriptor it is about.
 *
 * Nobody lies about them and nothing is scheduled for them. Analyses see them only if the command
 * asks for them (races is 2): `stalemate detect` does; hunt and verify have failures for what can
 * come of such a race.
 */
#ifndef SM_RUNTIME_ASIDE_H
#define SM_RUNTIME_ASIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "runtime/event.h"

/* Is there anybody who wants to see them? */
bool sm_aside_on(void);
/* Kind: SM_EV_LOAD, SM_EV_STORE, SM_EV_ATOMIC_LOAD; SM_EV_ALLOC: what lies there is new. pc: where
   the call returns to (callers.h); NULL counts. Before what the call acquires. */
void sm_aside(int kind, const void *addr, size_t size, const void *pc);
/* Of `size` bytes each part has its share, in turn. */
void sm_aside_parts(int kind, const struct iovec *parts, size_t n, ssize_t size, const void *pc);
/* Initialisation and end of a synchronisation object are writes of it, operations on it are atomic
   reads. */
void sm_aside_sync(const struct sm_event *event);

#endif
