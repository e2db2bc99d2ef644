/*
 * A function that takes the lock of a set twice is a unit, if that is to be inferred.
 *
 * expect: set=meter unit=read_both pattern=2
 * options: --infer-units
 *
 * It is given nothing and accesses nothing itself.
 */
#include "../program.h"

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

static bool read_both(void)
{
    repair_lock(&meter.lock);
    int before = meter_read(&meter);
    bool same = meter_read(&meter) == before;
    repair_unlock(&meter.lock);
    return same;
}

static bool same = true;

static void *look(void *unused)
{
    same = read_both();
    return unused;
}

static void *tick(void *unused)
{
    meter_tick(&meter);
    return unused;
}

int main(void)
{
    struct job jobs[] = {{look, NULL}, {tick, NULL}};

    run_jobs(jobs, COUNT(jobs));
    assert(same);
    return 0;
}
