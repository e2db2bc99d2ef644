/*
 * Round robin: the next thread in circular order runs, at every point.
 *
 * Threads that try locks, and give way to each other in lock step, do so for ever then (std::lock
 * of two mutexes in two orders). No machine keeps time so well, and it is no hang: the second half
 * of the steps that an execution may take is a random walk.
 */
#include "runtime/control.h"
#include "runtime/policy/policy.h"

static uint32_t pick(const struct sm_candidates *candidates)
{
    uint64_t steps = sm_option(steps);
    if (steps && sm_control->counters[SM_COUNT_POINT] > steps / 2)
        return sm_random_below(candidates->n);
    return 1; /* n > 1: [1] is the one behind the running thread, or behind [0] */
}

const struct sm_schedule sm_schedule_rr = {.thread = pick};
