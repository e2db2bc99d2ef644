/*
 * tsp: branch and bound over tours. The bound is updated under a lock and read without.
 */
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

/* The shortest tour lies in the first thread's part, and is the first it looks at. In the
   others' parts every road is long. A long run has to search for it. */
static void make_map(void)
{
    for (int i = 0; i < CITIES; i++)
        for (int k = 0; k < CITIES; k++)
            distance[i][k] = (i + 1) % CITIES == k || (k + 1) % CITIES == i
                                 ? SCALED(1, 60)
                                 : 10 + (i * k) % SCALED(5, 89);
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
