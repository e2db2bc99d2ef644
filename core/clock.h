/*
 * clock.h - vector clocks: for each thread, the time up to which it has been seen.
 *
 * A clock that was never set is all zeros and owns nothing, so {0} is a valid clock.
 * Time 0 of a thread is before its first event; threads begin at time 1.
 */
#ifndef SM_CORE_CLOCK_H
#define SM_CORE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct sm_clock {
    uint32_t n; /* entries in use; the rest are 0 */
    uint32_t capacity : 31;
    uint32_t borrowed : 1; /* the array is part of another object: it is not freed */
    uint32_t *time;
};

static inline uint32_t sm_clock_get(const struct sm_clock *clock, uint32_t thread)
{
    return thread < clock->n ? clock->time[thread] : 0;
}

/* Reserves room for n entries; adds none. */
void sm_clock_reserve(struct sm_clock *clock, uint32_t n);
void sm_clock_set(struct sm_clock *clock, uint32_t thread, uint32_t time);
/* to := the maximum of both, entry by entry */
void sm_clock_join(struct sm_clock *to, const struct sm_clock *from);
void sm_clock_copy(struct sm_clock *to, const struct sm_clock *from);
void sm_clock_clear(struct sm_clock *clock); /* back to {0}; frees its memory */

#endif
