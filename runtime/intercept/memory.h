/* memory.h - mmap under control: see memory.c. */
#ifndef SM_MEMORY_H
#define SM_MEMORY_H

/* Unmaps what the program mapped, before an execution starts again in the same process. */
void sm_memory_reset(void);

#endif
