/*
 * A struct within a struct belongs to the set of the whole.
 *
 * expect: set=sensor unit=sensor_add pattern=6,9,11
 *
 * The range is updated by a function that only knows the range, and under another hold of the
 * lock than the count.
 */
#include "../program.h"

struct range {
    int highest;
};

struct sensor {
    pthread_mutex_t lock;
    int count;
    struct range range;
};

void range_extend(struct range *range, int value)
{
    range->highest = value;
}

void sensor_add(struct sensor *sensor, int value)
{
    repair_lock(&sensor->lock);
    pthread_mutex_lock(&sensor->lock);
    sensor->count = value;
    pthread_mutex_unlock(&sensor->lock);
    pthread_mutex_lock(&sensor->lock);
    range_extend(&sensor->range, value);
    pthread_mutex_unlock(&sensor->lock);
    repair_unlock(&sensor->lock);
}

bool sensor_agrees(struct sensor *sensor)
{
    pthread_mutex_lock(&sensor->lock);
    bool agrees = sensor->count == sensor->range.highest;
    pthread_mutex_unlock(&sensor->lock);
    return agrees;
}

static struct sensor sensor = {.lock = MONITOR};
static bool agreed = true;

static void *measure(void *unused)
{
    sensor_add(&sensor, 1);
    sensor_add(&sensor, 2);
    return unused;
}

static void *watch(void *unused)
{
    agreed = sensor_agrees(&sensor);
    return unused;
}

int main(void)
{
    struct job jobs[] = {{measure, NULL}, {watch, NULL}};

    run_jobs(jobs, COUNT(jobs));
    assert(agreed);
    return 0;
}
