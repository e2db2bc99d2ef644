/*
 * layout.h - the address space of a controlled program.
 *
 * Everything whose address the program can see has a fixed place, so that pointers are the same in
 * each execution and can be compared, recorded and predicted:
 *
 *   SM_REGION_HEAP     one heap for each thread (runtime/heap.h)
 *   SM_REGION_STACK    one stack for each thread, the initial one included
 *   SM_REGION_MAPS     what the program gets from mmap
 *   SM_SAMPLE_BASE     which elements of arrays are seen (abi/sample.h)
 *   SM_REGION_RUNTIME  our own memory (sys.h), copies of the arguments included
 */
#ifndef SM_BASE_LAYOUT_H
#define SM_BASE_LAYOUT_H

#define SM_REGION_HEAP 0x100000000000ul
#define SM_REGION_HEAP_STRIDE (4ul << 30)
#define SM_REGION_HEAP_THREADS 16384ul /* 64 TiB; thread numbers above share by remainder */
#define SM_REGION_HEAP_END (SM_REGION_HEAP + SM_REGION_HEAP_THREADS * SM_REGION_HEAP_STRIDE)
#define SM_REGION_STACK 0x660000000000ul
#define SM_REGION_STACK_STRIDE (64ul << 20)
#define SM_REGION_MAPS 0x6a0000000000ul
#define SM_REGION_RUNTIME 0x6e0000000000ul
#define SM_REGION_END 0x6f0000000000ul

#endif
