/*
 * tsp: branch and bound over tours. The bound is updated under a lock and read without.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "scale.h"

enum { CITIES = SCALED(9, 11), THREADS = 4 };
static int distance[CITIES][CITIES];
static int MinTourLen = 1 << 20;
static pthread_mutex_t MinLock = PTHREAD_MUTEX_INITIALIZER;

static void set_best(int best)
{
    if (best >= MinTourLen)
        return;
    pthread_mutex_lock(&MinLock);
    if (best < MinTourLen)
        MinTourLen = best;
    pthread_mutex_unlock(&MinLock);
}

static void search(int city, unsigned visited, int length)
{
    if (length >= MinTourLen)
        return;
    if (visited == (1u << CITIES) - 1) {
        set_best(length + distance[city][0]);
        return;
    }
    for (int next = 1; next < CITIES; next++)
        if (!(visited >> next & 1))
            search(next, visited | 1u << next, length + distance[city][next]);
}

static void *solve(void *arg)
{
    for (int next = 1 + (int)(long)arg; next < CITIES; next += THREADS)
        search(next, 1u | 1u << next, distance[0][next]);
    return NULL;
}

/* Cities at random places of a square, by a fixed seed; nothing is known of the best tour. */
static void make_map(void)
{
    int x[CITIES], y[CITIES];
    unsigned random = 1;

    for (int i = 0; i < CITIES; i++) {
        random = random * 1103515245 + 12345;
        x[i] = (int)(random >> 16 & 1023);
        random = random * 1103515245 + 12345;
        y[i] = (int)(random >> 16 & 1023);
    }
    for (int i = 0; i < CITIES; i++)
        for (int k = 0; k < CITIES; k++)
            distance[i][k] = (int)hypot(x[i] - x[k], y[i] - y[k]);
}

int main(void)
{
    pthread_t threads[THREADS];

    make_map();
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, solve, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", MinTourLen);
    return 0;
}
