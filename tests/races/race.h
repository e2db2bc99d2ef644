/*
 * race.h - two threads whose steps are in a stated order that orders nothing.
 *
 * A race is a race whichever access comes first, but a test wants to know. done(n) and
 * after(n) go through a file in memory, of which who waits looks at a byte again and again: the
 * kernel keeps the order, and no happens-before edge comes of it (as it would of a pipe), so what
 * is ordered by nothing else still races.
 */
#ifndef RACE_H
#define RACE_H

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "../real_pid.h"

/* Whether or not _GNU_SOURCE was defined. */
#ifdef __cplusplus
extern "C" int memfd_create(const char *name, unsigned flags);
#else
int memfd_create(const char *name, unsigned flags);
#endif

/* Alone in its line, and `used` keeps it there: who waits reads it all the time. */
static struct {
    int file, rest[15];
} steps __attribute__((aligned(64), used));

__attribute__((constructor)) static void make_steps(void)
{
    steps.file = memfd_create("steps", 0);
    if (steps.file < 0)
        abort();
}

/* Executions that are forked from one process share the file, and one may be cut short. */
static inline off_t place_of(int step)
{
    return (off_t)real_pid() * 64 + step;
}

static inline void done(int step)
{
    if (pwrite(steps.file, "!", 1, place_of(step)) != 1)
        abort();
}

/* byte is read each time, also past the end of the file: where the file ends depends on the other
 * executions, and what this one reads must not. */
static inline void after(int step)
{
    char byte = 0;
    while (pread(steps.file, &byte, 1, place_of(step)) < 0 || byte != '!')
        sched_yield();
}

/* The value counts as used. */
#define USE(value) __asm__ volatile("" : : "r"(value))

static inline void run(void *(*a)(void *), void *(*b)(void *))
{
    pthread_t first, second;
    pthread_create(&first, NULL, a, NULL);
    pthread_create(&second, NULL, b, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}

#endif
