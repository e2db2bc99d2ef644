/*
 * known.h - the races reported so far: a pair of places is reported once, and then counted.
 *
 * Two threads that race on several bytes of a granule may be detected several times, but count
 * once.
 *
 * Places are compared by file, line, column and variable name, because a function that was inlined
 * several times has several sites. Under the lock of reports.
 */
#ifndef SM_NATIVE_KNOWN_H
#define SM_NATIVE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/site.h"

#define SM_KNOWN_MAX 4096

/* Where two accesses met, each in an epoch of its thread. */
struct sm_meeting {
    uintptr_t addr;
    uint32_t epochs[2];
};

/* A racy access in a loop may be found millions of times, and each time its stacks would be looked
   for (30 us, hundreds of times ThreadSanitizer's cost). So once the same access, to what a thread
   of the same slot did before, has been a known race SM_KNOWN_EACH times, only one of
   SM_KNOWN_SAMPLE is looked at, until one of them is new. How many this one stands for; 0: it need
   not be looked at. Without a lock: counts that are lost do not matter. */
#define SM_KNOWN_EACH 256u
#define SM_KNOWN_SAMPLE 64u
uint32_t sm_known_weight(const struct sm_site *site, uint32_t other_slot);
void sm_known_was_new(const struct sm_site *site, uint32_t other_slot);

/* Counts the pair `weight` times, in either order (NULL: place unknown). True if it is new;
   `number` is then its number. False if there is no room. */
bool sm_known_add(const struct sm_site *a, const struct sm_site *b, struct sm_meeting meeting,
                  uint32_t weight, uint32_t *number);
uint32_t sm_known_pairs(void);
uint64_t sm_known_count(uint32_t number);

#endif
