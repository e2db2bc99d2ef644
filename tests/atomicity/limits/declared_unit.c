/*
 * A declared unit makes one of two calls that are none together by default.
 *
 * expect: set=meter unit=read_twice pattern=2
 *
 * The start routine of a thread is no unit of work, nor is a function of one file that is given
 * nothing: only the declaration says that both readings belong together.
 */
#include "../program.h"

#include <stalemate.h>

#ifdef UNDECLARED
#define begin_unit(object) ((void)(object))
#define end_unit(object) ((void)(object))
#else
#define begin_unit(object) stalemate_unit_begin(object)
#define end_unit(object) stalemate_unit_end(object)
#endif

struct meter {
    pthread_mutex_t lock;
    int ticks;
};

int meter_read(struct meter *meter)
{
    pthread_mutex_lock(&meter->lock);
    int ticks = meter->ticks;
    pthread_mutex_unlock(&meter->lock);
    return ticks;
}

void meter_tick(struct meter *meter)
{
    pthread_mutex_lock(&meter->lock);
    meter->ticks++;
    pthread_mutex_unlock(&meter->lock);
}

static struct meter meter = {.lock = MONITOR};
static bool same = true;

static void *read_twice(void *unused)
{
    repair_lock(&meter.lock);
    begin_unit(&meter);
    int before = meter_read(&meter);
    same = meter_read(&meter) == before;
    end_unit(&meter);
    repair_unlock(&meter.lock);
    return unused;
}

static void *tick(void *unused)
{
    meter_tick(&meter);
    return unused;
}

int main(void)
{
    struct job jobs[] = {{read_twice, NULL}, {tick, NULL}};

    run_jobs(jobs, COUNT(jobs));
    assert(same);
    return 0;
}
