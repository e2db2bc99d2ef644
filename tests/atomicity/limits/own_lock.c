/*
 * A lock that the program has made of an atomic is one, too.
 *
 * expect: set=own_lock.c unit=count pattern=1,2,3,4,5
 *
 * The start routine has several critical sections, which are no unit together. Without the lock
 * its accesses are one stretch.
 */
#include "../program.h"

#include <sched.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int counter;

static void *count(void *unused)
{
    for (int i = 0; i < 3; i++) {
#ifdef REPAIRED
        while (atomic_flag_test_and_set(&busy))
            sched_yield();
#endif
        counter++;
#ifdef REPAIRED
        atomic_flag_clear(&busy);
#endif
    }
    return unused;
}

int main(void)
{
    struct job jobs[] = {{count, NULL}, {count, NULL}};

#ifndef REPAIRED
    atomic_flag_clear(&busy);
#endif
    run_jobs(jobs, COUNT(jobs));
    assert(counter == 6);
    return 0;
}
