/*
 * aside.h - accesses that a call makes on behalf of the program and that are not events: to the
 * buffer it fills or uses, to its lock or descriptor.
 *
 * They get no stale values and no scheduling points. Analyses see them only if the command asks
 * for them (races is 2): `stalemate detect` does; hunt and verify report the failures that such a
 * race can cause.
 */
#ifndef SM_RUNTIME_ASIDE_H
#define SM_RUNTIME_ASIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "runtime/event.h"

/* Does any analysis want them? */
bool sm_aside_on(void);
/* Kind: SM_EV_LOAD, SM_EV_STORE, SM_EV_ATOMIC_LOAD; SM_EV_ALLOC: the memory is new. pc: return
   address of the call (callers.h); NULL counts. Call it before what the call acquires. */
void sm_aside(int kind, const void *addr, size_t size, const void *pc);
/* Distributes `size` bytes over the parts, in order. */
void sm_aside_parts(int kind, const struct iovec *parts, size_t n, ssize_t size, const void *pc);
/* Initialisation and destruction of a synchronisation object are writes to it, operations on it are
   atomic reads. */
void sm_aside_sync(const struct sm_event *event);

#endif
