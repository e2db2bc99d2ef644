/* Preloaded: the clock of a machine that is so many times slower. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TIMES = 20 };

int clock_gettime(clockid_t clock, struct timespec *time)
{
    long result = syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_MONOTONIC) {
        long long all = (time->tv_sec * 1000000000LL + time->tv_nsec) * TIMES;
        *time = (struct timespec){.tv_sec = all / 1000000000, .tv_nsec = all % 1000000000};
    }
    return (int)result;
}
