/* counters.h - counts of exhausted resources, for the report. */
#ifndef SM_NATIVE_COUNTERS_H
#define SM_NATIVE_COUNTERS_H

#include <stdint.h>

enum sm_detect_counter {
#define SM_DETECT_COUNTER(name, text) SM_DETECT_##name,
#include "native/counters.def"
    SM_DETECT_COUNTERS
};

extern uint64_t sm_counts[SM_DETECT_COUNTERS];

static inline void sm_count_event(enum sm_detect_counter counter)
{
    __atomic_fetch_add(&sm_counts[counter], 1, __ATOMIC_RELAXED); /* only a count */
}

#endif
