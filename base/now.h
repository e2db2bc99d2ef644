/* now.h - monotonic time in seconds, for measuring intervals. */
#ifndef SM_BASE_NOW_H
#define SM_BASE_NOW_H

#include <time.h>

static inline double sm_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

#endif
