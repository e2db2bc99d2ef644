/*
 * Branch and bound with an unlocked look at the bound (Jumble: tsp, MinTourLen).
 *
 * hunt: MinTourLen qos
 *
 * A stale bound is larger than the true one: more is searched, the result is the same. Here
 * one thread finds the shortest tour at once; the other wanders about in a region that no
 * road leads out of, unless it sees the bound and turns round.
 */
#include <pthread.h>
#include <stdio.h>

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

static void *solve_easy(void *arg)
{
    set_best(7);
    return arg;
}

static void wander(int depth, int length)
{
    if (length >= MinTourLen || depth == 7)
        return;
    for (int road = 1; road <= 3; road++)
        wander(depth + 1, length + 6 + road);
}

static void *solve_hard(void *arg)
{
    wander(0, 0);
    set_best(8);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, solve_easy, NULL);
    pthread_create(&threads[1], NULL, solve_hard, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", MinTourLen);
    return 0;
}
