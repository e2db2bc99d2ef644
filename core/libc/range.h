/*
 * range.h - what the shared library functions (string.c) ask of the runtime they are part of.
 *
 * Controlled execution makes events of it (runtime/step.c), the detector checks of the shadow
 * (native/hooks.c).
 */
#ifndef SM_CORE_LIBC_RANGE_H
#define SM_CORE_LIBC_RANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/record.h"
#include "abi/site.h"

/* Shows that `size` bytes at addr are read (SM_EV_LOAD) or have been written (SM_EV_STORE, values
   taken from memory) by a library call at `site`. Nobody lies about them: the library reads
   memory itself. A scheduling point. */
void sm_range(int kind, const void *addr, size_t size, const struct sm_site *site);
/* The same for what one call goes on to read, and for what it wrote: nobody runs in between. */
void sm_range_more(int kind, const void *addr, size_t size, const struct sm_site *site);
/* As sm_range, by code that has no sites: where the call stands is known, as far as calls are
   traced. SM_EV_ATOMIC_LOAD, too. In controlled execution it is no event, and an access for
   `detect` alone. */
void sm_range_called(int kind, const void *addr, size_t size);
/* A scheduling point before a call writes at addr. */
void sm_range_point(const void *addr, const struct sm_site *site);
/* What lies there is new: nothing has happened to it. */
void sm_range_new(const void *addr, size_t size);
/* Library calls are to be shown byte by byte, each before the library looks at it: where the engine
   holds the contents of memory itself. Then what they write is stored for them, for what was there
   before may be what another thread reads; each byte has a scheduling point, because others may
   see some of them and not the rest. */
bool sm_range_by_bytes(void);
void sm_range_store(const void *addr, const void *data, size_t size, const struct sm_site *site);

#endif
