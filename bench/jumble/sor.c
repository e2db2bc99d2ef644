/*
 * sor: successive over-relaxation. Between the sweeps each thread counts its own, and waits
 * for its neighbours' counts. The counts are volatile and order nothing else, so that the
 * grid may be read stale.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include "scale.h"

enum { THREADS = 2, SIZE = SCALED(10, 1000), SWEEPS = SCALED(6, 50) };
static double G[SIZE][SIZE];
static volatile long sync_counts[THREADS][8];

static void wait_for_neighbours(int id)
{
    sync_counts[id][0]++;
    if (id > 0)
        while (sync_counts[id - 1][0] < sync_counts[id][0])
            sched_yield();
    if (id < THREADS - 1)
        while (sync_counts[id + 1][0] < sync_counts[id][0])
            sched_yield();
}

static void *relax(void *arg)
{
    int id = (int)(long)arg, rows = (SIZE - 2) / THREADS;
    int first = 1 + id * rows, last = first + rows;

    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int i = first; i < last; i++)
            for (int k = 1 + (i + sweep) % 2; k < SIZE - 1; k += 2)
                G[i][k] = 0.3125 * (G[i - 1][k] + G[i + 1][k] + G[i][k - 1] + G[i][k + 1]) -
                          0.25 * G[i][k];
        wait_for_neighbours(id);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    double sum = 0;

    for (int i = 0; i < SIZE; i++)
        for (int k = 0; k < SIZE; k++)
            G[i][k] = (i * 7 + k * 13) % 10;
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, relax, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < SIZE - 1; i++)
        for (int k = 1; k < SIZE - 1; k++)
            sum += G[i][k];
    printf("%.12g\n", sum);
    return 0;
}
