// no race
/* What a thread does before it sets a timer comes before the handler of its signal, and before the
   read of its descriptor. */
#define _GNU_SOURCE
#include "../race.h"
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>

int x, y, z;
static int descriptor;
static timer_t timer;
static atomic_int handled;

static void on_alarm(int signo)
{
    USE(x + signo);
    atomic_fetch_add_explicit(&handled, 1, memory_order_relaxed);
}

static void on_timer(int signo)
{
    USE(y + signo);
    atomic_fetch_add_explicit(&handled, 1, memory_order_relaxed);
}

static void *a(void *unused)
{
    struct itimerval soon = {.it_value.tv_usec = 1000};
    struct itimerspec now = {.it_value.tv_nsec = 1000};
    x = 1;
    setitimer(ITIMER_REAL, &soon, NULL);
    y = 1;
    timer_settime(timer, 0, &now, NULL);
    z = 1;
    timerfd_settime(descriptor, 0, &now, NULL);
    return unused;
}

static void *b(void *unused)
{
    uint64_t expiries;
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    if (read(descriptor, &expiries, sizeof expiries) != sizeof expiries)
        abort();
    USE(z);
    while (atomic_load_explicit(&handled, memory_order_relaxed) < 2)
        sched_yield();
    return unused;
}

int main(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    signal(SIGALRM, on_alarm);
    signal(SIGUSR1, on_timer);
    descriptor = timerfd_create(CLOCK_MONOTONIC, 0);
    if (descriptor < 0 || timer_create(CLOCK_MONOTONIC, &event, &timer))
        abort();
    run(a, b);
    return 0;
}
