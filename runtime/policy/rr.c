/*
 * Round robin: the next thread in circular order runs, at every point.
 *
 * Threads that try locks and back off in lockstep would do so for ever (std::lock of two mutexes
 * in two orders). No machine is that regular, and it is not a hang: so the second half of the
 * steps that an execution may take is a random walk.
 */
#include "runtime/control.h"
#include "runtime/policy/policy.h"

static uint32_t pick(const struct sm_candidates *candidates)
{
    uint64_t steps = sm_option(steps);
    if (steps && sm_control->counters[SM_COUNT_POINT] > steps / 2)
        return sm_random_below(candidates->n);
    return 1; /* n > 1: [1] is the thread after the running one, or after [0] */
}

const struct sm_schedule sm_schedule_rr = {.thread = pick};
