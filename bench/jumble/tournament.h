/*
 * A barrier of flags that are read and written without synchronisation. Each thread turns
 * its flag over; the first waits for all others' to turn, then turns its own, which is what
 * the others wait for. A flag that is read from two turns ago looks as if it had turned.
 */
#ifndef TOURNAMENT_H
#define TOURNAMENT_H

#include <sched.h>

enum { THREADS = 2 };
int IsDone[THREADS]; /* not static: the compiler would know that sched_yield leaves it alone */

static void wait_for(int id, int value)
{
    while (IsDone[id] != value)
        sched_yield();
}

static void do_barrier(int id)
{
    int value = !IsDone[id];

    if (id == 0)
        for (int other = 1; other < THREADS; other++)
            wait_for(other, value);
    IsDone[id] = value;
    wait_for(0, value);
}

#endif
