/* Random walk: every runnable thread is equally likely, at every point. */
#include "runtime/policy/policy.h"

static uint32_t pick(const struct sm_candidates *candidates)
{
    return sm_random_below(candidates->n);
}

const struct sm_schedule sm_schedule_random = {.thread = pick};
