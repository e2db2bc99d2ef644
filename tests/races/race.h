/*
 * race.h - two threads whose steps are in a stated order that orders nothing.
 *
 * A race is a race whichever access comes first, but a test wants to know. done(n) and
 * after(n) go through a pipe: the kernel keeps the order, and no happens-before edge comes
 * of it (DESIGN 2.1), so what is ordered by nothing else still races.
 */
#ifndef RACE_H
#define RACE_H

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define STEPS 8

static int steps[STEPS][2];

__attribute__((constructor)) static void make_steps(void)
{
    for (int i = 0; i < STEPS; i++)
        if (pipe(steps[i]) != 0)
            abort();
}

static inline void done(int step)
{
    if (write(steps[step][1], "", 1) != 1)
        abort();
}

static inline void after(int step)
{
    char byte;
    if (read(steps[step][0], &byte, 1) != 1)
        abort();
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
