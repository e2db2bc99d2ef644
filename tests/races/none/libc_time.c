// no race
/* Calls about time, the system and signals that fail store nothing; what they have stored may be
   read after a join; the clock may be read into no memory at all. */
#define _GNU_SOURCE
#include "../race.h"
#include <pwd.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <time.h>

struct timespec now, invalid;
struct timeval day;
struct tm local, universal;
struct rusage usage;
struct itimerval timer;
struct itimerspec fd_timer;
struct sysinfo info;
struct passwd user;
sigset_t mask, other_mask;
double loads[4];
char text[64], some[8], strings[4096];
time_t moment;

static void check(int result)
{
    if (!result)
        abort();
}

static void *a(void *unused)
{
    struct passwd *found;
    check(time(NULL) != -1 && times(NULL) != -1);
    check(clock_gettime(CLOCK_REALTIME, &now) == 0);
    check(clock_gettime((clockid_t)1000, &invalid) != 0);
    check(gettimeofday(&day, NULL) == 0);
    check(localtime_r(&moment, &local) == &local && gmtime_r(&moment, &universal) == &universal);
    check(ctime_r(&moment, text) == text);
    check(getrusage((enum __rusage_who)1000, &usage) != 0);
    check(getitimer((enum __itimer_which)1000, &timer) != 0);
    check(timerfd_gettime(-1, &fd_timer) != 0);
    check(sysinfo(&info) == 0);
    check(getloadavg(loads, 2) == 2);
    check(getrandom(some, 4, 0) == 4);
    check(getpwnam_r("nobody at all", &user, strings, sizeof strings, &found) == 0 && !found);
    check(sigprocmask(1000, &mask, &other_mask) != 0);
    check(sigprocmask(SIG_BLOCK, NULL, NULL) == 0);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    invalid.tv_sec = 0;
    USE(moment);
    text[63] = some[4] = 1;
    usage.ru_utime.tv_sec = timer.it_value.tv_sec = fd_timer.it_value.tv_sec = 0;
    loads[2] = 0;
    user.pw_uid = 0;
    sigemptyset(&other_mask);
    USE(sigismember(&mask, SIGUSR1));
    return unused;
}

int main(void)
{
    run(a, b);
    USE((int)now.tv_sec + (int)day.tv_sec + local.tm_min + universal.tm_min + text[0]);
    USE((int)info.uptime + (int)loads[0] + some[0]);
    return 0;
}
