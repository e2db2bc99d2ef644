/*
 * real_pid.h - a number that no other process has at the same time.
 *
 * Under control getpid() is the same in every execution, and names that must differ between
 * processes that run side by side cannot be made of it.
 */
#ifndef REAL_PID_H
#define REAL_PID_H

#include <stdlib.h>
#include <unistd.h>

static inline long real_pid(void)
{
    char digits[16] = "";
    return readlink("/proc/self", digits, sizeof digits - 1) > 0 ? atol(digits) : 0;
}

#endif
