// race: added[], cosine[], counted[], day[], day_text[], emptied[], exponent[], fd_timer[]
// race: fd_timer_before[], info[], loads[], local[], mask[], moment, more[], names[], now[]
// race: seconds[], shown[], sine[], some[], strings[], text[], thread_mask[], tick[], timer[]
// race: timer_before[], universal[], usage[], used[], user[], whole[]
/* What calls about time, the system and signals store for one thread, and that another uses. */
#define _GNU_SOURCE
#include "../race.h"
#include <math.h>
#include <pwd.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>

#define BUFFER(name, type) char name[sizeof(type)] __attribute__((aligned(16)))
BUFFER(seconds, time_t);
BUFFER(now, struct timespec);
BUFFER(tick, struct timespec);
BUFFER(day, struct timeval);
BUFFER(counted, struct timespec);
BUFFER(used, struct tms);
BUFFER(usage, struct rusage);
BUFFER(local, struct tm);
BUFFER(universal, struct tm);
BUFFER(shown, struct tm);
BUFFER(timer, struct itimerval);
BUFFER(timer_before, struct itimerval);
BUFFER(fd_timer, struct itimerspec);
BUFFER(fd_timer_before, struct itimerspec);
BUFFER(names, struct utsname);
BUFFER(info, struct sysinfo);
BUFFER(loads, double[3]);
BUFFER(user, struct passwd);
BUFFER(mask, sigset_t);
BUFFER(thread_mask, sigset_t);
BUFFER(emptied, sigset_t);
BUFFER(added, sigset_t);
BUFFER(exponent, int);
BUFFER(whole, double);
BUFFER(sine, double);
BUFFER(cosine, double);
char text[64], day_text[64], some[8], more[8], strings[4096];
time_t moment;
static int fd;

static void check(int result)
{
    if (!result)
        abort();
}

static void *a(void *unused)
{
    static const struct itimerval never;
    static const struct itimerspec not_now;
    struct passwd *found;
    const time_t zero = 0;
    check(time((time_t *)seconds) != -1);
    check(clock_gettime(CLOCK_REALTIME, (struct timespec *)now) == 0);
    check(clock_getres(CLOCK_REALTIME, (struct timespec *)tick) == 0);
    check(gettimeofday((struct timeval *)day, NULL) == 0);
    check(timespec_get((struct timespec *)counted, TIME_UTC) == TIME_UTC);
    check(times((struct tms *)used) != -1);
    check(getrusage(RUSAGE_SELF, (struct rusage *)usage) == 0);
    check(localtime_r(&moment, (struct tm *)local) == (struct tm *)local);
    check(gmtime_r(&zero, (struct tm *)universal) != NULL);
    check(ctime_r(&zero, text) == text);
    check(asctime_r((struct tm *)shown, day_text) == day_text);
    check(setitimer(ITIMER_REAL, &never, (struct itimerval *)timer_before) == 0);
    check(getitimer(ITIMER_REAL, (struct itimerval *)timer) == 0);
    check(timerfd_settime(fd, 0, &not_now, (struct itimerspec *)fd_timer_before) == 0);
    check(timerfd_gettime(fd, (struct itimerspec *)fd_timer) == 0);
    check(uname((struct utsname *)names) == 0);
    check(sysinfo((struct sysinfo *)info) == 0);
    check(getloadavg((double *)loads, 3) == 3);
    check(getrandom(some, sizeof some, 0) == sizeof some);
    check(getentropy(more, sizeof more) == 0);
    check(getpwuid_r(0, (struct passwd *)user, strings, sizeof strings, &found) == 0);
    check(sigprocmask(SIG_BLOCK, NULL, (sigset_t *)mask) == 0);
    check(pthread_sigmask(SIG_BLOCK, NULL, (sigset_t *)thread_mask) == 0);
    check(sigemptyset((sigset_t *)emptied) == 0);
    check(sigaddset((sigset_t *)added, SIGUSR1) == 0);
    USE(frexp((double)zero, (int *)exponent));
    USE(modf((double)zero, (double *)whole));
    sincos((double)zero, (double *)sine, (double *)cosine);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(seconds[0] + now[1] + tick[2] + day[3] + counted[4] + used[5] + usage[6] + local[7]);
    USE(universal[0] + text[1] + day_text[2] + timer[3] + timer_before[4] + fd_timer[5]);
    USE(fd_timer_before[6] + names[7] + info[0] + loads[1] + some[2] + more[3] + user[4]);
    USE(strings[0] + mask[1] + thread_mask[2] + emptied[3] + added[4] + exponent[0] + whole[1]);
    USE(sine[0] + cosine[1]);
    moment = 1;
    shown[0] = 1;
    return unused;
}

int main(void)
{
    fd = timerfd_create(CLOCK_MONOTONIC, 0);
    check(fd >= 0);
    run(a, b);
    return 0;
}
