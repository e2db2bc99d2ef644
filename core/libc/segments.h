/*
 * segments.h - the sizes of System V segments that are attached: shmdt is told only the address.
 *
 * Called by both runtimes' shmat and shmdt. errno is preserved.
 */
#ifndef SM_CORE_LIBC_SEGMENTS_H
#define SM_CORE_LIBC_SEGMENTS_H

#include <stddef.h>

/* The size of a segment in whole pages; 0: there is no such segment. */
size_t sm_segment_size(int id);
void sm_segment_attached(const void *at, size_t size);
/* The size of what is attached there; 0: nothing, as far as is known. */
size_t sm_segment_at(const void *at);
void sm_segment_detached(const void *at);

#endif
