/*
 * step.h - the one ordered pipeline that every controlled event takes:
 * scheduler, model, analyses, trace.
 */
#ifndef SM_RUNTIME_STEP_H
#define SM_RUNTIME_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/event.h"

/* A memory access of the running thread, scheduling point included. On return the event
   holds the value read. */
void sm_step(struct sm_event *event);

/* The same for the second and further pieces of one wide access: nobody runs in between. */
void sm_step_more(struct sm_event *event);

/* The model may lie about this access. */
bool sm_is_lied_about(const struct sm_event *event);

/* Shows the engine that `size` bytes at addr are read (SM_EV_LOAD) or have been written
   (SM_EV_STORE, values taken from memory) by a library call at `site`. Nobody lies about
   them: the library reads memory itself. */
void sm_range(int kind, const void *addr, size_t size, const struct sm_site *site);
/* The same for what one call goes on to read, and for what it wrote: nobody runs in between. */
void sm_range_more(int kind, const void *addr, size_t size, const struct sm_site *site);
/* The same for operands of unknown assembly, which are read and written as seq_cst atomics. */
void sm_range_atomic(int kind, const void *addr, size_t size, const struct sm_site *site);
/* Library calls are to be shown byte by byte, each before the library looks at it: where the engine
   holds the contents of memory itself. Then what they write is stored for them, for what was there
   before may be what another thread reads. */
bool sm_range_by_bytes(void);
void sm_range_store(const void *addr, const void *data, size_t size, const struct sm_site *site);

#endif
