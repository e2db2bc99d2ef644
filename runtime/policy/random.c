/* Random walk: every thread that can run is as likely as any other, at every point. */
#include "runtime/policy/policy.h"

static uint32_t pick(const struct sm_candidates *candidates)
{
    return sm_random_below(candidates->n);
}

const struct sm_schedule sm_schedule_random = {.thread = pick};
