/*
 * pattern.h - two units of work on one pair, interleaved in one stated order.
 *
 * A program of this directory defines u() and v(), each of which takes the pair and does its
 * accesses by STEP(n, access): as the n-th of the pattern. The steps follow each other by
 * race.h, which orders nothing in the sense of happens-before, and each holds the lock for itself:
 * there is no race. In the twin each unit holds the lock throughout, the steps wait for nothing,
 * and the scheduler may put either unit first.
 */
#ifndef ATOMICITY_PATTERN_H
#define ATOMICITY_PATTERN_H

#include "../program.h"

#include "../../races/race.h"

struct pair {
    pthread_mutex_t lock;
    int first, second;
};

void u(struct pair *pair);
void v(struct pair *pair);

#ifdef REPAIRED
#define STEP(n, access) access
#else
#define STEP(n, access)                                                                            \
    do {                                                                                           \
        if ((n) > 1)                                                                               \
            after((n) - 1);                                                                        \
        pthread_mutex_lock(&pair->lock);                                                           \
        access;                                                                                    \
        pthread_mutex_unlock(&pair->lock);                                                         \
        done(n);                                                                                   \
    } while (0)
#endif

#define READ(field) USE(pair->field)
#define WRITE(field) pair->field = 1

static void *run_u(void *pair)
{
    u(pair);
    return NULL;
}

static void *run_v(void *pair)
{
    v(pair);
    return NULL;
}

static struct pair shared = {.lock = MONITOR};

int main(void)
{
    struct job jobs[] = {{run_u, &shared}, {run_v, &shared}};

    run_jobs(jobs, COUNT(jobs));
    return 0;
}

#endif
