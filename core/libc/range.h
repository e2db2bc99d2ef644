/*
 * range.h - what the shared library functions (access.h) need from the runtime they are part of.
 *
 * Controlled execution turns these calls into events (runtime/step.c), the detector into checks
 * against the shadow (native/hooks.c).
 */
#ifndef SM_CORE_LIBC_RANGE_H
#define SM_CORE_LIBC_RANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/record.h"
#include "abi/site.h"

/* Reports that a library call at `site` reads `size` bytes at addr (SM_EV_LOAD) or has written them
   (SM_EV_STORE; the values are in memory). The memory model does not lie about them: the library
   reads memory itself. A scheduling point. */
void sm_range(int kind, const void *addr, size_t size, const struct sm_site *site);
/* The same for further reads of one call, and for what it wrote: no other thread runs in
   between. */
void sm_range_more(int kind, const void *addr, size_t size, const struct sm_site *site);
/* Like sm_range, for code without sites: the place of the call is known as far as calls are traced.
   SM_EV_ATOMIC_LOAD, too. In controlled execution it is not an event, but an access for `detect`
   only. */
void sm_range_called(int kind, const void *addr, size_t size);
/* A scheduling point before a call writes at addr. */
void sm_range_point(const void *addr, const struct sm_site *site);
/* The memory is newly allocated: nothing has happened to it. */
void sm_range_new(const void *addr, size_t size);
/* Library calls must be reported byte by byte, each before the library reads it: where the engine
   holds the contents of memory itself. Then their writes are made for them, because another thread
   may read the old contents; each byte has a scheduling point, because others may see some of them
   and not the rest. */
bool sm_range_by_bytes(void);
void sm_range_store(const void *addr, const void *data, size_t size, const struct sm_site *site);

#endif
