/*
 * region.h - addresses of the program, normalised.
 *
 * Programs and libraries are placed by the kernel (see base/layout.h for the rest). Their
 * addresses are normalised in traces: number of the object in the top byte, offset below.
 */
#ifndef SM_RUNTIME_REGION_H
#define SM_RUNTIME_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/layout.h"

/* Finds where the loader put the program and its libraries; also fills the mappings of the control
   block. Called at start and after a library was loaded. */
void sm_region_scan(void);

uint64_t sm_region_normal_of_object(uintptr_t addr); /* of a program or library */
static inline uint64_t sm_region_normal(uintptr_t addr)
{
    bool fixed = addr - SM_REGION_HEAP < SM_REGION_HEAP_END - SM_REGION_HEAP ||
                 addr - SM_REGION_STACK < SM_REGION_END - SM_REGION_STACK;
    return fixed ? addr : sm_region_normal_of_object(addr);
}
/* The reverse; 0 if the object is not loaded. */
uintptr_t sm_region_real(uint64_t normal);

/* First and last+1 address of the object that contains addr; both 0 if none does. */
void sm_region_bounds(uintptr_t addr, uintptr_t *start, uintptr_t *end);

#endif
