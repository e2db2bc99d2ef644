/*
 * Two threads wait for each other by plain flags; the second never raises its own. With -DRAISED it
 * does.
 */
#include <pthread.h>

#ifndef RAISED
#define RAISED 0
#endif

static int first, second;

static void *lead(void *unused)
{
    first = 1;
    while (!second)
        continue;
    return unused;
}

static void *follow(void *unused)
{
    while (!first)
        continue;
    second = RAISED;
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, lead, NULL);
    pthread_create(&threads[1], NULL, follow, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
