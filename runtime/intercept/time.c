/*
 * time.c - clocks and sleeping, in virtual time.
 *
 * Sleeping takes no real time: a sleep ends when every other thread waits too, or when enough
 * scheduling points have passed. Reading a clock is a scheduling point, so that a loop that polls
 * the clock lets others run, and ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "core/openmp/openmp.h"
#include "runtime/engine.h"
#include "runtime/init.h"
#include "runtime/intercept/io.h"
#include "runtime/intercept/openmp.h"
#include "runtime/intercept/real.h"
#include "runtime/intercept/signals.h"

enum { NANOSECONDS = 1000000000, MICROSECONDS = 1000000 };

/* ---- sleeping ---- */

/* Until a point in virtual time, or until a handler has run. Returns the time left. Without virtual
   time it returns at once: sleeping orders nothing, and a sleeping thread can be as late, or as
   early, as any other. */
static uint64_t sleep_until(uint64_t deadline, struct sm_event *event)
{
    struct sm_thread *self = sm_self();
    uint32_t handlers = self->handlers_run;
    struct sm_wait wait = {.what = "time", .deadline = deadline, .interruptible = true};
    deadline = sm_engine->has_time ? deadline : 0;
    while (sm_now() < deadline && self->handlers_run == handlers)
        if (sm_block(&wait, event) == SM_SIGNALLED)
            sm_signals_interrupted(self);
    sm_sync(event);
    return sm_now() < deadline ? deadline - sm_now() : 0;
}

static struct sm_event begin_sleep(void *pc)
{
    sm_test_cancel();
    struct sm_event event = sm_sync_event(SM_EV_SLEEP, NULL, 0, pc);
    sm_point(&event);
    return event;
}

static uint64_t sleep_for(uint64_t nanoseconds, void *pc)
{
    uint64_t deadline = sm_deadline_in(nanoseconds);
    struct sm_event event = begin_sleep(pc);
    event.value = nanoseconds;
    return sleep_until(deadline, &event);
}

static bool is_time(const struct timespec *time)
{
    return time->tv_nsec >= 0 && time->tv_nsec < NANOSECONDS && time->tv_sec >= 0;
}

static void set_rest(struct timespec *rest, uint64_t left)
{
    if (!rest)
        return;
    rest->tv_sec = (time_t)(left / NANOSECONDS);
    rest->tv_nsec = (long)(left % NANOSECONDS);
}

/* Returns 0 or an errno. */
static int sleep_relative(const struct timespec *time, struct timespec *rest, void *pc)
{
    if (!is_time(time))
        return EINVAL;
    uint64_t deadline = sm_io_deadline(time);
    struct sm_event event = begin_sleep(pc);
    event.value = (uint64_t)time->tv_sec * NANOSECONDS + (uint64_t)time->tv_nsec;
    uint64_t left = sleep_until(deadline, &event);
    if (left == 0)
        return 0;
    set_rest(rest, left);
    return EINTR;
}

SM_EXPORT unsigned sleep(unsigned seconds)
{
    SM_PASS(sleep, seconds);
    uint64_t left = sleep_for((uint64_t)seconds * NANOSECONDS, SM_CALLER());
    return (unsigned)((left + NANOSECONDS - 1) / NANOSECONDS);
}

SM_EXPORT int usleep(useconds_t microseconds)
{
    SM_PASS(usleep, microseconds);
    if (sleep_for((uint64_t)microseconds * 1000, SM_CALLER()) == 0)
        return 0;
    errno = EINTR;
    return -1;
}

SM_EXPORT int nanosleep(const struct timespec *time, struct timespec *rest)
{
    SM_PASS(nanosleep, time, rest);
    int error = sleep_relative(time, rest, SM_CALLER());
    if (!error)
        return 0;
    errno = error;
    return -1;
}

SM_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                              struct timespec *rest)
{
    SM_PASS(clock_nanosleep, clock, flags, time, rest);
    if (clock == CLOCK_THREAD_CPUTIME_ID)
        return EINVAL;
    if (!(flags & TIMER_ABSTIME))
        return sleep_relative(time, rest, SM_CALLER());
    if (!is_time(time))
        return EINVAL;
    uint64_t deadline = sm_deadline(clock, time);
    struct sm_event event = begin_sleep(SM_CALLER());
    event.value = deadline;
    return sleep_until(deadline, &event) ? EINTR : 0;
}

SM_EXPORT int thrd_sleep(const struct timespec *time, struct timespec *rest)
{
    SM_PASS(thrd_sleep, time, rest);
    switch (sleep_relative(time, rest, SM_CALLER())) {
    case 0:
        return 0;
    case EINTR:
        return -1;
    default:
        return -2;
    }
}

/* ---- yielding ---- */

SM_EXPORT int sched_yield(void)
{
    if (!sm_self())
        return SM_REAL(sched_yield)();
    if (sm_openmp_calls(SM_CALLER()))
        sm_openmp_idle(SM_CALLER());
    else
        sm_yield(SM_CALLER());
    return 0;
}

SM_EXPORT void thrd_yield(void)
{
    if (sm_self())
        sm_yield(SM_CALLER());
    else
        SM_REAL(thrd_yield)();
}

/* One thread runs at a time: all appear to be on the first processor. */
SM_EXPORT int sched_getcpu(void)
{
    SM_PASS(sched_getcpu);
    return 0;
}

/* ---- clocks ---- */

static struct timespec look(clockid_t clock, void *pc)
{
    struct timespec now;
    if (!sm_self()) { /* in a constructor: time begins */
        sm_clock(clock, &now);
        return now;
    }
    struct sm_event event = sm_sync_event(SM_EV_SYSCALL, NULL, (uint64_t)clock, pc);
    sm_point(&event);
    sm_clock(clock, &now);
    event.value = (uint64_t)now.tv_sec * NANOSECONDS + (uint64_t)now.tv_nsec;
    sm_sync(&event);
    return now;
}

/* Clocks of other processes and of devices are left to the kernel. */
SM_EXPORT int clock_gettime(clockid_t clock, struct timespec *now)
{
    if ((!sm_self() && !sm_starting()) || clock < 0 || clock > CLOCK_TAI)
        return SM_REAL(clock_gettime)(clock, now);
    *now = look(clock, SM_CALLER());
    return 0;
}

SM_EXPORT int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    SM_PASS_INPUT(gettimeofday, now, zone);
    struct timespec time = look(CLOCK_REALTIME, SM_CALLER());
    *now = (struct timeval){.tv_sec = time.tv_sec, .tv_usec = time.tv_nsec / 1000};
    if (zone)
        *(struct timezone *)zone = (struct timezone){0};
    return 0;
}

SM_EXPORT time_t time(time_t *now)
{
    SM_PASS_INPUT(time, now);
    time_t seconds = look(CLOCK_REALTIME, SM_CALLER()).tv_sec;
    if (now)
        *now = seconds;
    return seconds;
}

SM_EXPORT int timespec_get(struct timespec *now, int base)
{
    SM_PASS_INPUT(timespec_get, now, base);
    if (base != TIME_UTC)
        return 0;
    *now = look(CLOCK_REALTIME, SM_CALLER());
    return base;
}

SM_EXPORT clock_t clock(void)
{
    SM_PASS_INPUT(clock);
    struct timespec now = look(CLOCK_PROCESS_CPUTIME_ID, SM_CALLER());
    return now.tv_sec * MICROSECONDS + now.tv_nsec / 1000;
}

SM_EXPORT clock_t times(struct tms *result)
{
    SM_PASS_INPUT(times, result);
    long hertz = sysconf(_SC_CLK_TCK);
    struct timespec used = look(CLOCK_PROCESS_CPUTIME_ID, SM_CALLER()), now;
    if (result)
        *result =
            (struct tms){.tms_utime = used.tv_sec * hertz + used.tv_nsec / (NANOSECONDS / hertz)};
    sm_clock(CLOCK_MONOTONIC, &now);
    return now.tv_sec * hertz + now.tv_nsec / (NANOSECONDS / hertz);
}

SM_EXPORT int getrusage(__rusage_who_t who, struct rusage *usage)
{
    SM_PASS_INPUT(getrusage, who, usage);
    struct timespec used = look(CLOCK_PROCESS_CPUTIME_ID, SM_CALLER());
    *usage = (struct rusage){.ru_utime = {.tv_sec = used.tv_sec, .tv_usec = used.tv_nsec / 1000}};
    return 0;
}

/* The processor's time stamp counter, if the program reads it directly: three ticks a nanosecond.
 */
SM_EXPORT uint64_t sm_rdtsc(void);
SM_EXPORT uint64_t sm_rdtsc(void)
{
    if (!sm_self() && !sm_starting())
        return __builtin_ia32_rdtsc();
    struct timespec now = look(CLOCK_MONOTONIC, SM_CALLER());
    return 3 * ((uint64_t)now.tv_sec * NANOSECONDS + (uint64_t)now.tv_nsec);
}
