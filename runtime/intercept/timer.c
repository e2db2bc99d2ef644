#define _GNU_SOURCE
#include "runtime/intercept/timer.h"

#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "runtime/intercept/io.h"
#include "runtime/intercept/message.h"
#include "runtime/intercept/real.h"
#include "runtime/intercept/signalfd.h"
#include "runtime/intercept/signals.h"

/* The effect of an expiry: a signal, an eventfd that represents a timerfd, or nothing. */
enum effect { EFFECT_SIGNAL, EFFECT_FD, EFFECT_NONE };

struct timer {
    struct timer *next;
    enum effect effect;
    int fd;
    uintptr_t number; /* the program's handle: not one of our addresses */
    siginfo_t info;
    clockid_t clock;
    uint64_t deadline; /* SM_NO_DEADLINE while disarmed */
    uint64_t interval; /* 0: once */
};

/* The three of setitimer, then those created by the program. */
static struct timer interval_timers[] = {
    [ITIMER_REAL] = {.info = {.si_signo = SIGALRM, .si_code = SI_KERNEL},
                     .deadline = SM_NO_DEADLINE},
    [ITIMER_VIRTUAL] = {.info = {.si_signo = SIGVTALRM, .si_code = SI_KERNEL},
                        .deadline = SM_NO_DEADLINE},
    [ITIMER_PROF] = {.info = {.si_signo = SIGPROF, .si_code = SI_KERNEL},
                     .deadline = SM_NO_DEADLINE},
};
static struct timer *timers;
static uintptr_t last_number;

/* ---- expiry ---- */

static void expire(struct timer *timer)
{
    uint64_t one = 1;
    if (timer->effect == EFFECT_SIGNAL) {
        sm_signal_send(NULL, &timer->info);
    } else if (timer->effect == EFFECT_FD) {
        sm_syscall(SYS_write, (long)timer->fd, &one, sizeof one);
        sm_fds_changed();
    }
    timer->deadline =
        timer->interval ? timer->deadline + timer->interval : (uint64_t)SM_NO_DEADLINE;
}

static uint64_t run_one(struct timer *timer, uint64_t now, uint64_t next)
{
    /* Several periods that passed at once are one expiry, like signals that accumulate. */
    if (timer->deadline <= now) {
        expire(timer);
        if (timer->deadline <= now)
            timer->deadline += (now - timer->deadline) / timer->interval * timer->interval;
        if (timer->deadline <= now)
            timer->deadline += timer->interval;
    }
    return timer->deadline < next ? timer->deadline : next;
}

uint64_t sm_timers_run(uint64_t now)
{
    uint64_t next = SM_NO_DEADLINE;
    for (size_t i = 0; i < SM_ARRAY_SIZE(interval_timers); i++)
        next = run_one(&interval_timers[i], now, next);
    for (struct timer *timer = timers; timer; timer = timer->next)
        next = run_one(timer, now, next);
    return next;
}

/* ---- setting ---- */

static uint64_t nanoseconds(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * SM_SECOND + (uint64_t)time->tv_nsec;
}

static struct timespec to_timespec(uint64_t time)
{
    return (struct timespec){.tv_sec = (time_t)(time / SM_SECOND),
                             .tv_nsec = (long)(time % SM_SECOND)};
}

static void arm(struct timer *timer, uint64_t deadline, uint64_t interval)
{
    timer->deadline = deadline;
    timer->interval = interval;
    if (deadline != SM_NO_DEADLINE)
        sm_wake_at(deadline);
}

static void get(const struct timer *timer, struct itimerspec *value)
{
    uint64_t now = sm_now();
    uint64_t left = timer->deadline == SM_NO_DEADLINE ? 0
                    : timer->deadline > now           ? timer->deadline - now
                                                      : 1;
    value->it_value = to_timespec(left);
    value->it_interval = to_timespec(timer->interval);
}

static bool is_time(const struct timespec *time)
{
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < SM_SECOND;
}

/* What the thread did so far happens before the handler, or before the read that returns the
   expiry. */
static void order(const struct timer *timer, void *pc)
{
    struct sm_event event =
        sm_sync_event(SM_EV_HAPPENS_BEFORE, NULL, (uint64_t)timer->info.si_signo, pc);
    if (timer->effect == EFFECT_SIGNAL) {
        sm_sync(&event);
        sm_signalfds_give(timer->info.si_signo, pc);
    } else if (timer->effect == EFFECT_FD) {
        sm_fd_gives(timer->fd, pc);
    }
}

static int set(struct timer *timer, bool absolute, const struct itimerspec *value,
               struct itimerspec *old, void *pc)
{
    if (!is_time(&value->it_value) || !is_time(&value->it_interval)) {
        errno = EINVAL;
        return -1;
    }
    if (old)
        get(timer, old);
    order(timer, pc);
    uint64_t deadline = SM_NO_DEADLINE;
    if (value->it_value.tv_sec || value->it_value.tv_nsec)
        deadline = absolute ? sm_deadline(timer->clock, &value->it_value)
                            : sm_io_deadline(&value->it_value);
    arm(timer, deadline, nanoseconds(&value->it_interval));
    return 0;
}

/* ---- alarm and setitimer ---- */

SM_EXPORT unsigned alarm(unsigned seconds)
{
    SM_PASS(alarm, seconds);
    struct itimerspec value = {.it_value.tv_sec = seconds}, old;
    set(&interval_timers[ITIMER_REAL], false, &value, &old, SM_CALLER());
    return (unsigned)(old.it_value.tv_sec + (old.it_value.tv_nsec >= SM_SECOND / 2 ||
                                             (old.it_value.tv_sec == 0 && old.it_value.tv_nsec)));
}

static struct timespec from_timeval(const struct timeval *time)
{
    return (struct timespec){.tv_sec = time->tv_sec, .tv_nsec = time->tv_usec * 1000};
}

static void to_itimerval(const struct itimerspec *from, struct itimerval *to)
{
    to->it_value = (struct timeval){from->it_value.tv_sec, from->it_value.tv_nsec / 1000};
    to->it_interval = (struct timeval){from->it_interval.tv_sec, from->it_interval.tv_nsec / 1000};
}

static struct timer *interval_timer(int which)
{
    if (which >= ITIMER_REAL && which <= ITIMER_PROF)
        return &interval_timers[which];
    errno = EINVAL;
    return NULL;
}

SM_EXPORT int setitimer(__itimer_which_t which, const struct itimerval *value,
                        struct itimerval *old)
{
    SM_PASS(setitimer, which, value, old);
    struct timer *timer = interval_timer((int)which);
    if (!timer)
        return -1;
    struct itimerspec before, after = {.it_value = from_timeval(&value->it_value),
                                       .it_interval = from_timeval(&value->it_interval)};
    if (set(timer, false, &after, &before, SM_CALLER()) != 0)
        return -1;
    if (old)
        to_itimerval(&before, old);
    return 0;
}

SM_EXPORT int getitimer(__itimer_which_t which, struct itimerval *value)
{
    SM_PASS(getitimer, which, value);
    struct timer *timer = interval_timer((int)which);
    if (!timer)
        return -1;
    struct itimerspec now;
    get(timer, &now);
    to_itimerval(&now, value);
    return 0;
}

SM_EXPORT useconds_t ualarm(useconds_t microseconds, useconds_t interval)
{
    SM_PASS(ualarm, microseconds, interval);
    struct itimerval value = {.it_value = {microseconds / 1000000, microseconds % 1000000},
                              .it_interval = {interval / 1000000, interval % 1000000}},
                     old = {0};
    setitimer(ITIMER_REAL, &value, &old);
    return (useconds_t)(old.it_value.tv_sec * 1000000 + old.it_value.tv_usec);
}

/* ---- timers created by the program ---- */

static struct timer *make(enum effect effect, clockid_t clock)
{
    struct timer *timer = sm_alloc(sizeof *timer);
    timer->effect = effect;
    timer->number = ++last_number;
    timer->clock = clock;
    timer->fd = -1;
    timer->deadline = SM_NO_DEADLINE;
    timer->next = timers;
    timers = timer;
    return timer;
}

static void drop(struct timer *timer)
{
    for (struct timer **at = &timers; *at; at = &(*at)->next) {
        if (*at != timer)
            continue;
        *at = timer->next;
        sm_free(timer, sizeof *timer);
        return;
    }
}

static struct timer *find(timer_t number)
{
    for (struct timer *timer = timers; timer; timer = timer->next)
        if (timer->number == (uintptr_t)number)
            return timer;
    errno = EINVAL;
    return NULL;
}

/* The C library starts such a thread, or the kernel picks it: neither can be scheduled or delivered
   to here. The program must not see an error that it would not see natively. */
static void refuse_threads(const struct sigevent *event)
{
    int how = event ? event->sigev_notify : SIGEV_SIGNAL;
    if (how == SIGEV_THREAD || how == SIGEV_THREAD_ID)
        sm_refuse("the program calls timer_create with %s, which is not supported; use "
                  "SIGEV_SIGNAL, or a thread that sleeps",
                  how == SIGEV_THREAD ? "SIGEV_THREAD" : "SIGEV_THREAD_ID");
}

SM_EXPORT int timer_create(clockid_t clock, struct sigevent *event, timer_t *result)
{
    SM_PASS(timer_create, clock, event, result);
    refuse_threads(event);
    bool silent = event && event->sigev_notify == SIGEV_NONE;
    struct timer *timer = make(silent ? EFFECT_NONE : EFFECT_SIGNAL, clock);
    timer->info.si_signo = event ? event->sigev_signo : SIGALRM;
    timer->info.si_code = SI_TIMER;
    if (event)
        timer->info.si_value = event->sigev_value;
    *result = (timer_t)timer->number;
    return 0;
}

SM_EXPORT int timer_settime(timer_t number, int flags, const struct itimerspec *value,
                            struct itimerspec *old)
{
    SM_PASS(timer_settime, number, flags, value, old);
    struct timer *timer = find(number);
    return timer ? set(timer, flags & TIMER_ABSTIME, value, old, SM_CALLER()) : -1;
}

SM_EXPORT int timer_gettime(timer_t number, struct itimerspec *value)
{
    SM_PASS(timer_gettime, number, value);
    struct timer *timer = find(number);
    if (!timer)
        return -1;
    get(timer, value);
    return 0;
}

SM_EXPORT int timer_getoverrun(timer_t number)
{
    SM_PASS(timer_getoverrun, number);
    return find(number) ? 0 : -1;
}

SM_EXPORT int timer_delete(timer_t number)
{
    SM_PASS(timer_delete, number);
    struct timer *timer = find(number);
    if (!timer)
        return -1;
    drop(timer);
    return 0;
}

/* ---- timerfd: an eventfd to which expiries are written ---- */

static struct timer *timer_of(int fd)
{
    for (struct timer *timer = timers; timer; timer = timer->next)
        if (timer->effect == EFFECT_FD && timer->fd == fd)
            return timer;
    return NULL;
}

void sm_timer_close(int fd)
{
    struct timer *timer = timer_of(fd);
    if (timer)
        drop(timer);
}

SM_EXPORT int timerfd_create(clockid_t clock, int flags)
{
    SM_PASS(timerfd_create, clock, flags);
    _Static_assert(TFD_NONBLOCK == EFD_NONBLOCK && TFD_CLOEXEC == EFD_CLOEXEC, "same flags");
    int fd = eventfd(0, flags);
    if (fd >= 0)
        make(EFFECT_FD, clock)->fd = fd;
    return fd;
}

/* Setting a timerfd discards unread expiries. */
static void clear(int fd)
{
    struct timespec none = {0};
    fd_set set_of_one;
    FD_ZERO(&set_of_one);
    uint64_t count;
    FD_SET(fd, &set_of_one);
    if (sm_syscall(SYS_pselect6, (long)fd + 1, &set_of_one, NULL, NULL, &none, NULL) == 1)
        sm_syscall(SYS_read, (long)fd, &count, sizeof count);
}

SM_EXPORT int timerfd_settime(int fd, int flags, const struct itimerspec *value,
                              struct itimerspec *old)
{
    struct timer *timer = sm_self() ? timer_of(fd) : NULL;
    if (!timer)
        return SM_REAL(timerfd_settime)(fd, flags, value, old);
    clear(fd);
    return set(timer, flags & TFD_TIMER_ABSTIME, value, old, SM_CALLER());
}

SM_EXPORT int timerfd_gettime(int fd, struct itimerspec *value)
{
    struct timer *timer = sm_self() ? timer_of(fd) : NULL;
    if (!timer)
        return SM_REAL(timerfd_gettime)(fd, value);
    get(timer, value);
    return 0;
}
