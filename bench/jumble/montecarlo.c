/*
 * montecarlo: every task sets the debugging flag to the value it has, and looks at it.
 */
#include <pthread.h>
#include <stdio.h>

#include "scale.h"

enum { THREADS = 4, RUNS = SCALED(10, 10000), STEPS = SCALED(20, 10000) };
struct Universal {
    int UNIVERSAL_DEBUG;
};
static struct Universal universal = {1};
static double sums[THREADS];

static double simulate(unsigned seed)
{
    double sum = 0;

    universal.UNIVERSAL_DEBUG = 1;
    for (int i = 0; i < STEPS; i++) {
        seed = seed * 1103515245 + 12345;
        sum += (seed >> 16 & 1023) / 1024.0;
    }
    return universal.UNIVERSAL_DEBUG ? sum : -1;
}

static void *work(void *arg)
{
    long me = (long)arg;

    for (int run = 0; run < RUNS; run++)
        sums[me] += simulate((unsigned)(me * RUNS + run));
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    double sum = 0;

    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum += sums[i];
    }
    printf("%.3f\n", sum);
    return 0;
}
