/*
 * pjbb2000, Company.elapsed_time: set when a measurement ends, read by the report without a lock.
 * An old value and one that is not measured yet both give a wrong score.
 */
#include <pthread.h>
#include <stdio.h>

#include "phase.h"

static long elapsed_time = 1;

static void *report(void *arg)
{
    long *scores = arg;

    scores[0] = 6000 / elapsed_time;
    begin_phase(1);
    await_phase(2);
    scores[1] = 6000 / elapsed_time;
    return NULL;
}

static void *measure(void *arg)
{
    await_phase(1);
    elapsed_time = 120;
    begin_phase(2);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    long scores[2];

    pthread_create(&threads[0], NULL, report, scores);
    pthread_create(&threads[1], NULL, measure, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("score %ld, then %ld\n", scores[0], scores[1]);
    return 0;
}
