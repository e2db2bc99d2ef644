/*
 * Two holds of a read lock are two steps, one hold is one.
 *
 * expect: set=clock unit=clock_is_right pattern=11
 */
#include "../program.h"

#define ROUNDS 3

struct clock {
    pthread_rwlock_t lock;
    int hours, minutes;
};

/* Hours and minutes are always the same in this clock. */
bool clock_is_right(struct clock *of)
{
    pthread_rwlock_rdlock(&of->lock);
    int hours = of->hours;
#ifndef REPAIRED
    pthread_rwlock_unlock(&of->lock);
    pthread_rwlock_rdlock(&of->lock);
#endif
    int minutes = of->minutes;
    pthread_rwlock_unlock(&of->lock);
    return hours == minutes;
}

void clock_tick(struct clock *of)
{
    pthread_rwlock_wrlock(&of->lock);
    of->hours++;
    of->minutes++;
    pthread_rwlock_unlock(&of->lock);
}

static struct clock clock_on_wall = {PTHREAD_RWLOCK_INITIALIZER, 0, 0};
static bool wrong;

static void *look(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        if (!clock_is_right(&clock_on_wall))
            wrong = true;
    return unused;
}

static void *tick(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        clock_tick(&clock_on_wall);
    return unused;
}

int main(void)
{
    struct job jobs[] = {{look, NULL}, {tick, NULL}};

    run_jobs(jobs, COUNT(jobs));
    assert(!wrong);
    return 0;
}
