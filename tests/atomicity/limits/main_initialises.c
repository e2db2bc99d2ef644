/*
 * main sets a variable before its threads run, and reads it after: as most programs do.
 *
 * expect: set=main_initialises.c unit=count pattern=1
 */
#include "../program.h"

static pthread_mutex_t lock = MONITOR;
static int total;

static void count(int sum)
{
    repair_lock(&lock);
    pthread_mutex_lock(&lock);
    int before = total;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    total = before + sum;
    pthread_mutex_unlock(&lock);
    repair_unlock(&lock);
}

static void *work(void *unused)
{
    for (int i = 0; i < 2; i++)
        count(1);
    return unused;
}

int main(void)
{
    struct job jobs[] = {{work, NULL}, {work, NULL}};

    total = 1;
    run_jobs(jobs, COUNT(jobs));
    total++;
    assert(total == 6);
    return 0;
}
