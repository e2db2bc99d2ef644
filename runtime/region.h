/*
 * region.h - where things are in the address space of a controlled program.
 *
 * Everything whose address the program can see has a fixed place, so that pointers
 * are the same in each execution and can be compared, recorded and foretold:
 *
 *   SM_REGION_HEAP     one heap for each thread (heap.h)
 *   SM_REGION_STACK    one stack for each thread, the initial one included
 *   SM_REGION_MAPS     what the program gets from mmap
 *   SM_SAMPLE_BASE     which elements of arrays are seen (abi/sample.h)
 *   SM_REGION_RUNTIME  our own memory, copies of the arguments included
 *
 * Programs and libraries are placed by the kernel. Their addresses are normalised in
 * traces: number of the object in the top byte, offset below.
 */
#ifndef SM_RUNTIME_REGION_H
#define SM_RUNTIME_REGION_H

#include <stdint.h>

#define SM_REGION_HEAP 0x100000000000ul
#define SM_REGION_HEAP_STRIDE (4ul << 30)
#define SM_REGION_HEAP_THREADS 16384ul /* 64 TiB; thread numbers above share by remainder */
#define SM_REGION_HEAP_END (SM_REGION_HEAP + SM_REGION_HEAP_THREADS * SM_REGION_HEAP_STRIDE)
#define SM_REGION_STACK 0x660000000000ul
#define SM_REGION_STACK_STRIDE (64ul << 20)
#define SM_REGION_MAPS 0x6a0000000000ul
#define SM_REGION_RUNTIME 0x6e0000000000ul
#define SM_REGION_END 0x6f0000000000ul

/* Learns where the loader put the program and its libraries; also fills the mappings of
   the control block. Called at start and after a library was loaded. */
void sm_region_scan(void);

uint64_t sm_region_normal(uintptr_t addr);
/* The reverse; 0 if the object is not there. */
uintptr_t sm_region_real(uint64_t normal);

/* First and last+1 address of the object that holds addr; both 0 if none does. */
void sm_region_bounds(uintptr_t addr, uintptr_t *start, uintptr_t *end);

#endif
