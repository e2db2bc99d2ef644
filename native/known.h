/*
 * known.h - which races have been told: a pair of places once, the rest is counted.
 *
 * Two threads that race on several bytes of a granule may be found to do so several times. They
 * count once.
 *
 * Places are told apart as people do, by file, line, column and what the variable is called:
 * a function that was inlined in several places has rows for each. Under the lock of reports.
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

/* Counts the pair, in whichever order (NULL: not known where). True if it is new; `number` is
   then what it is called. What there is no room for is not new. */
bool sm_known_add(const struct sm_site *a, const struct sm_site *b, struct sm_meeting meeting,
                  uint32_t *number);
uint32_t sm_known_pairs(void);
uint64_t sm_known_count(uint32_t number);

#endif
