/*
 * sample.h - the elements of arrays that an execution observes.
 *
 * A program that works on a racy array accesses it millions of times, and all elements behave
 * alike. So an execution may watch a sample of each array: its first elements, and those at which
 * races were seen (sm_control.sampled). Every other element is sequentially consistent memory that
 * is not observed.
 *
 * Whether an access to a granule of 8 bytes is seen must not depend on which thread makes it: a
 * store that is not seen would let a later load return the value it has overwritten. So each
 * granule has one byte, set by the first watched access to it according to its array and index, and
 * from then on the same for all accesses. A granule may become seen later (by an atomic access), as
 * if watching began there; but it never becomes unseen again while it is allocated.
 *
 * The byte is tested by the code that the pass emits (plugin/outline.h), with `watch` of the site:
 *
 *     if (watch > byte)  call the hook  else  access memory
 *
 * The bytes are at a fixed address in every controlled execution; only there do watched copies of
 * functions run. Addresses that are 64 TiB apart share one: the heaps of thread 1365 and higher
 * with programs and libraries (runtime/region.h), and a decision for one then holds for the other.
 */
#ifndef SM_ABI_SAMPLE_H
#define SM_ABI_SAMPLE_H

#include <stdint.h>

#define SM_SAMPLE_BASE 0x580000000000ul
#define SM_SAMPLE_SIZE (1ul << SM_SAMPLE_BITS >> 3)
enum {
    SM_SAMPLE_BITS = 46,                       /* significant bits of an address */
    SM_SAMPLE_LEFT = 64 - SM_SAMPLE_BITS,      /* shift, and then */
    SM_SAMPLE_RIGHT = 64 - SM_SAMPLE_BITS + 3, /* back again: the number of the byte */
};

/* Of watch[] in site.h. */
enum sm_watch {
    SM_WATCH_SAMPLED = 2, /* accesses call the hook unless they are to an unseen granule */
    SM_WATCH_EVERY = 3,
};

/* The byte of a granule. */
enum sm_sample { SM_SAMPLE_UNKNOWN = 0, SM_SAMPLE_SEEN = 1, SM_SAMPLE_UNSEEN = 2 };

static inline uint8_t *sm_sample_byte(uintptr_t addr)
{
    return (uint8_t *)(SM_SAMPLE_BASE + (addr << SM_SAMPLE_LEFT >> SM_SAMPLE_RIGHT));
}

#endif
