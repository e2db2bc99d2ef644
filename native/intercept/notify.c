/*
 * notify.c - SIGEV_THREAD: functions that libc calls in threads of its own when a timer expires.
 *
 * The program's function is replaced by one that registers the thread first. What is known of a
 * timer is never freed: it may expire while it is deleted.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <time.h>

#include "core/libc/real.h"
#include "native/intercept/message.h"
#include "native/intercept/thread.h"
#include "native/sync.h"

struct notice {
    void (*function)(union sigval);
    union sigval value;
};

static void notify(union sigval argument)
{
    const struct notice *notice = argument.sival_ptr;
    sm_thread_adopt();
    sm_timer_takes();
    notice->function(notice->value);
}

SM_EXPORT int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
    if (!event || event->sigev_notify != SIGEV_THREAD || !sm_current)
        return SM_REAL(timer_create)(clock, event, timer);
    struct notice *notice = sm_alloc(sizeof *notice);
    struct sigevent ours = *event;
    *notice = (struct notice){event->sigev_notify_function, event->sigev_value};
    ours.sigev_notify_function = notify;
    ours.sigev_value.sival_ptr = notice;
    sm_timer_gives();
    return SM_REAL(timer_create)(clock, &ours, timer);
}
