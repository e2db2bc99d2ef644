/*
 * timer.h - timers in virtual time: alarm, setitimer, timer_create, timerfd.
 *
 * The scheduler asks sm_timers_run whenever virtual time reaches the moment that
 * sm_wake_at (sched.h) was last told.
 */
#ifndef SM_RUNTIME_INTERCEPT_TIMER_H
#define SM_RUNTIME_INTERCEPT_TIMER_H

#include <stdint.h>

/* Lets the timers that are due expire; returns when the next one is, or SM_NO_DEADLINE. */
uint64_t sm_timers_run(uint64_t now);
/* The descriptor is being closed: a timerfd takes its timer with it. */
void sm_timer_close(int fd);

#endif
