/*
 * timer.h - timers in virtual time: alarm, setitimer, timer_create, timerfd.
 *
 * The scheduler calls sm_timers_run whenever virtual time reaches the deadline last passed to
 * sm_wake_at (sched.h).
 */
#ifndef SM_RUNTIME_INTERCEPT_TIMER_H
#define SM_RUNTIME_INTERCEPT_TIMER_H

#include <stdint.h>

/* Expires the timers that are due; returns when the next one is due, or SM_NO_DEADLINE. */
uint64_t sm_timers_run(uint64_t now);
/* The descriptor is being closed: removes the timer of a timerfd. */
void sm_timer_close(int fd);

#endif
