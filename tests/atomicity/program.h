/*
 * program.h - what the programs under test share.
 *
 * Each source is built twice: as it stands it has its documented bug, and with -DREPAIRED it is
 * its own twin, in which nothing may be reported. repair_lock() and repair_unlock() stand where
 * the buggy program should have locked, so the repair can be read beside the bug.
 *
 * The comment at the head of a source says which report is the documented bug:
 *
 *   expect: set=SET unit=UNIT pattern=N,N...
 *
 * SET is one of the report's set, UNIT one of its two units, and its pattern one of those listed.
 *
 * main() touches shared data only when the threads have ended: what initialises it is static, or
 * a function that is over before they start. So main is no unit that others could come between.
 */
#ifndef ATOMICITY_PROGRAM_H
#define ATOMICITY_PROGRAM_H

#define _GNU_SOURCE /* recursive mutexes with a static initialiser */

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* The originals lock by Java's monitors, which a thread may enter again. */
#define MONITOR PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP

#ifdef REPAIRED
#define repair_lock(mutex) pthread_mutex_lock(mutex)
#define repair_unlock(mutex) pthread_mutex_unlock(mutex)
#else
#define repair_lock(mutex) ((void)(mutex))
#define repair_unlock(mutex) ((void)(mutex))
#endif

struct job {
    void *(*work)(void *);
    void *arg;
};

/* Runs each job in a thread of its own, all at once, and waits for them. */
static inline void run_jobs(const struct job *jobs, int count)
{
    pthread_t threads[8];

    assert(count <= COUNT(threads));
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, jobs[i].work, jobs[i].arg) != 0)
            abort();
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

#endif
