/* Preloaded: the clock of a machine that is so many times slower. With STALL=N: of one that is
   stalled for two seconds when the clock is read for the Nth time. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TIMES = 20 };
static const long long second = 1000000000LL, stall = 2000000000LL;

static long long change(long long now)
{
    static long reads;
    const char *at = getenv("STALL");
    if (!at)
        return now * TIMES;
    return __atomic_add_fetch(&reads, 1, __ATOMIC_RELAXED) < atol(at) ? now : now + stall;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    long result = syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_MONOTONIC) {
        long long now = change(time->tv_sec * second + time->tv_nsec);
        *time = (struct timespec){.tv_sec = now / second, .tv_nsec = now % second};
    }
    return (int)result;
}
