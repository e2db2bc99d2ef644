/*
 * cases.h - small OpenMP programs with twins: `cases NAME race` has a data race on the variable
 * that the case names, in every execution, natively too; `cases NAME free` has none.
 *
 * To have a race in every execution the two accesses are made by different threads, whatever the
 * schedule: meet() lets threads wait for each other without ordering anything.
 */
#ifndef SM_TESTS_OPENMP_CASES_H
#define SM_TESTS_OPENMP_CASES_H

#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct openmp_case {
    const char *name, *variable; /* the one that the race is on */
    void (*run)(bool racy);
};

extern const struct openmp_case regions[], loops[], locks[], tasks[], mixed[];

/* The optimiser must not see that nobody reads it. */
#define KEPT __attribute__((used))

/* Relaxed: no happens-before. */
static inline void meet(int *arrived, int parties)
{
    __atomic_fetch_add(arrived, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(arrived, __ATOMIC_RELAXED) < parties)
        sched_yield();
}

#endif
