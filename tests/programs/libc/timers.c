// alarm, setitimer, timer_create and timerfd expire in virtual time, in order.
#include <assert.h>
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms, ticks;

static void on_alarm(int signo)
{
    assert(signo == SIGALRM);
    alarms++;
}

static void on_tick(int signo, siginfo_t *info, void *context)
{
    (void)context;
    assert(signo == SIGUSR1 && info->si_code == SI_TIMER && info->si_value.sival_int == 5);
    ticks++;
}

static void check_interval(void)
{
    struct itimerval each = {.it_value.tv_usec = 2000, .it_interval.tv_usec = 2000}, none = {0},
                     left;
    assert(setitimer(ITIMER_REAL, &each, NULL) == 0);
    while (alarms < 3)
        pause();
    assert(setitimer(ITIMER_REAL, &none, &left) == 0 && left.it_interval.tv_usec == 2000);
    assert(getitimer(ITIMER_REAL, &left) == 0 && left.it_value.tv_usec == 0);
}

static void check_timer(void)
{
    struct sigevent event = {
        .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 5};
    timer_t timer;
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    struct itimerspec once = {.it_value.tv_nsec = 1000000};
    assert(timer_settime(timer, 0, &once, NULL) == 0);
    while (!ticks)
        pause();
    assert(ticks == 1 && timer_delete(timer) == 0);
}

static void check_descriptor(void)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    struct itimerspec soon = {.it_value.tv_nsec = 1000000}, left;
    uint64_t count = 0;
    assert(fd >= 0 && timerfd_settime(fd, 0, &soon, NULL) == 0);
    assert(read(fd, &count, sizeof count) == sizeof count && count == 1);
    assert(timerfd_gettime(fd, &left) == 0 && left.it_value.tv_nsec == 0);
    close(fd);
}

int main(void)
{
    struct sigaction tick = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO};
    signal(SIGALRM, on_alarm);
    sigaction(SIGUSR1, &tick, NULL);
    assert(alarm(100) == 0);
    assert(alarm(0) == 100);
    check_interval();
    check_timer();
    check_descriptor();
    return 0;
}
