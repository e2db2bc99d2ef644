/* Virtual time: never waited for in real time. */
#include <time.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/sched/internal.h"
#include "runtime/sched/sched.h"

/* Clocks start at fixed dates, so that runs are repeatable. */
static const uint64_t real_time_origin = (uint64_t)SM_EPOCH_SECONDS * SM_SECOND;
static const uint64_t monotonic_origin = 1000ull * SM_SECOND;

uint64_t sm_time;

void sm_time_start(void)
{
    sm_time = 0;
}

void sm_time_leap(uint64_t to)
{
    if (to > sm_time)
        sm_time = to;
}

uint64_t sm_now(void)
{
    return sm_time;
}

static uint64_t origin(int clock)
{
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
        return real_time_origin;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
        return 0;
    default:
        return monotonic_origin;
    }
}

/* verify has no passing time: programs that depend on it behave differently there. */
static void note_use(void)
{
    sm_control->explored.timed = 1;
}

uint64_t sm_deadline(int clock, const struct timespec *when)
{
    note_use();
    if (when->tv_sec < 0)
        return 0;
    /* A date in the far future means for ever; it must not wrap. */
    if ((uint64_t)when->tv_sec > UINT64_MAX / SM_SECOND / 2)
        return SM_NO_DEADLINE - 1;
    uint64_t absolute = (uint64_t)when->tv_sec * SM_SECOND + (uint64_t)when->tv_nsec;
    return absolute > origin(clock) ? absolute - origin(clock) : 0;
}

uint64_t sm_deadline_in(uint64_t nanoseconds)
{
    note_use();
    return nanoseconds > SM_NO_DEADLINE - 1 - sm_time ? SM_NO_DEADLINE - 1 : sm_time + nanoseconds;
}

void sm_clock(int clock, struct timespec *result)
{
    note_use();
    uint64_t time = origin(clock) + sm_time;
    result->tv_sec = (time_t)(time / SM_SECOND);
    result->tv_nsec = (long)(time % SM_SECOND);
}
