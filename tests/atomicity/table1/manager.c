/*
 * Manager: requests move from the open ones to the finished ones while a manager counts both.
 *
 * expect: set=office unit=office_total pattern=9,11
 *
 * Each counter is locked, a request on its way is in neither, and the manager may count it
 * twice or not at all.
 */
#include "../program.h"

#define REQUESTS 3

struct office {
    pthread_mutex_t lock;
    int open, finished;
};

void office_finish(struct office *office)
{
    repair_lock(&office->lock);
    pthread_mutex_lock(&office->lock);
    office->open--;
    pthread_mutex_unlock(&office->lock);
    pthread_mutex_lock(&office->lock);
    office->finished++;
    pthread_mutex_unlock(&office->lock);
    repair_unlock(&office->lock);
}

int office_total(struct office *office)
{
    repair_lock(&office->lock);
    pthread_mutex_lock(&office->lock);
    int total = office->open;
    pthread_mutex_unlock(&office->lock);
    pthread_mutex_lock(&office->lock);
    total += office->finished;
    pthread_mutex_unlock(&office->lock);
    repair_unlock(&office->lock);
    return total;
}

static void *work(void *arg)
{
    for (int i = 0; i < REQUESTS; i++)
        office_finish(arg);
    return NULL;
}

struct manager {
    struct office *office;
    int errors;
};

static void *manage(void *arg)
{
    struct manager *me = arg;

    for (int i = 0; i < REQUESTS; i++)
        if (office_total(me->office) != REQUESTS)
            me->errors++;
    return NULL;
}

static struct office office = {.lock = MONITOR, .open = REQUESTS};
static struct manager manager = {&office, 0};

int main(void)
{
    struct job jobs[] = {{work, &office}, {manage, &manager}};

    run_jobs(jobs, COUNT(jobs));
    assert(manager.errors == 0);
    return 0;
}
