/*
 * sample.h - which elements of arrays this execution observes (abi/sample.h).
 *
 * Called by the hooks of plain accesses, before they make an event, and by those of atomic ones,
 * which are always seen. Only the running thread calls in here.
 */
#ifndef SM_RUNTIME_SAMPLE_H
#define SM_RUNTIME_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/sample.h"
#include "abi/site.h"

/* Elements are sampled in this execution. */
extern bool sm_sampling;

/* Maps the bytes, for all executions of this process and of those forked from it. */
void sm_sample_map(void);
/* Determines whether elements are sampled; before sites are switched on. */
void sm_sample_open(void);
/* An execution begins. */
void sm_sample_start(void);

/* Out of line: the granule has not been accessed yet. */
bool sm_sample_decide(uintptr_t addr, const struct sm_site *site);

/* Are accesses to the granule of addr seen? */
static inline bool sm_sample_has(uintptr_t addr, const struct sm_site *site)
{
    if (!sm_sampling)
        return true;
    uint8_t byte = *sm_sample_byte(addr);
    return byte == SM_SAMPLE_UNKNOWN ? sm_sample_decide(addr, site) : byte == SM_SAMPLE_SEEN;
}

/* They are from now on. */
static inline void sm_sample_keep(uintptr_t addr)
{
    if (sm_sampling)
        *sm_sample_byte(addr) = SM_SAMPLE_SEEN;
}

/* The memory was freed: decided anew at the next access. */
void sm_sample_forget_in(uintptr_t addr, size_t size);
static inline void sm_sample_forget(uintptr_t addr, size_t size)
{
    if (sm_sampling)
        sm_sample_forget_in(addr, size);
}

#endif
