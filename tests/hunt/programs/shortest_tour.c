/*
 * Branch and bound with an unlocked look at the bound (Jumble: tsp, MinTourLen).
 *
 * hunt: MinTourLen qos
 *
 * A stale bound is larger than the true one: more is searched, the result is the same.
 */
#include <pthread.h>
#include <stdio.h>

enum { CITIES = 7 };
static const int distance[CITIES][CITIES] = {
    {0, 3, 9, 8, 7, 6, 2}, {3, 0, 2, 9, 8, 7, 5}, {9, 2, 0, 1, 9, 8, 6}, {8, 9, 1, 0, 2, 9, 7},
    {7, 8, 9, 2, 0, 1, 8}, {6, 7, 8, 9, 1, 0, 3}, {2, 5, 6, 7, 8, 3, 0},
};
static int MinTourLen = 1000;
static pthread_mutex_t MinLock = PTHREAD_MUTEX_INITIALIZER;

static void set_best(int length)
{
    if (length >= MinTourLen)
        return;
    pthread_mutex_lock(&MinLock);
    if (length < MinTourLen)
        MinTourLen = length;
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
    int first = (int)(long)arg;

    for (int next = first; next < CITIES; next += 2)
        search(next, 1u | 1u << next, distance[0][next]);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, solve, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", MinTourLen);
    return 0;
}
