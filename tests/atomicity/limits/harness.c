/*
 * A function that is given the struct, and starts the threads that work on it, is no unit that
 * they could come between.
 *
 * expect: set=counter unit=counter_add pattern=1
 *
 * It initialises the counter before and reads it after. The bug is the threads' own.
 */
#include "../program.h"

struct counter {
    pthread_mutex_t lock;
    int value;
};

static int get(struct counter *counter)
{
    pthread_mutex_lock(&counter->lock);
    int value = counter->value;
    pthread_mutex_unlock(&counter->lock);
    return value;
}

static void set(struct counter *counter, int value)
{
    pthread_mutex_lock(&counter->lock);
    counter->value = value;
    pthread_mutex_unlock(&counter->lock);
}

void counter_add(struct counter *counter, int sum)
{
    repair_lock(&counter->lock);
    set(counter, get(counter) + sum);
    repair_unlock(&counter->lock);
}

static void *add(void *arg)
{
    for (int i = 0; i < 2; i++)
        counter_add(arg, 1);
    return NULL;
}

void counter_test(struct counter *counter)
{
    struct job jobs[] = {{add, counter}, {add, counter}};

    set(counter, 10);
    run_jobs(jobs, COUNT(jobs));
    assert(get(counter) == 14);
    set(counter, 0);
}

int main(void)
{
    struct counter counter = {.lock = MONITOR};

    counter_test(&counter);
    return 0;
}
