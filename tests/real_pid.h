/*
 * real_pid.h - a number that no other process has at the same time.
 *
 * Under control getpid() is the same in every execution, and names that must differ between
 * processes that run side by side cannot be made of it.
 */
#ifndef REAL_PID_H
#define REAL_PID_H

#include <stdio.h>
#include <unistd.h>

/* Not watched: its reads would show an input that is not under control, and no replay is the same.
 */
__attribute__((noinline, unused, disable_sanitizer_instrumentation)) static long real_pid(void)
{
    char digits[16];
    long pid = 0, n = (long)readlink("/proc/self", digits, sizeof digits);
    for (long i = 0; i < n; i++)
        pid = pid * 10 + (digits[i] - '0');
    return pid;
}

/* A name that ends with it, and its length; not watched either. */
__attribute__((noinline, unused, disable_sanitizer_instrumentation)) static int
put_real_name(char *to, size_t size, const char *prefix)
{
    return snprintf(to, size, "%s%08ld", prefix, real_pid());
}

#endif
