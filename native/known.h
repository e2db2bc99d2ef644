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

/* Counts the pair, in either order (NULL: place unknown). True if it is new; `number` is then its
   number. False if there is no room. */
bool sm_known_add(const struct sm_site *a, const struct sm_site *b, struct sm_meeting meeting,
                  uint32_t *number);
uint32_t sm_known_pairs(void);
uint64_t sm_known_count(uint32_t number);

#endif
