/* Round robin: the next thread in circular order runs, at every point. */
#include "runtime/policy/policy.h"

static uint32_t pick(const struct sm_candidates *candidates)
{
    (void)candidates; /* n > 1: [1] is the one behind the running thread, or behind [0] */
    return 1;
}

const struct sm_schedule sm_schedule_rr = {.thread = pick};
