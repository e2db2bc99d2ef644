/*
 * 120,000 events, nearly all of the racy variable: more steps than any hang needs by itself.
 * How many are too many is learnt from executions of the same schedule without lies.
 */
#include <pthread.h>
#include <stdio.h>

static int total;

static void *work(void *arg)
{
    for (int i = 0; i < 15000; i++)
        total++;
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (total < 1)
        puts("nothing was counted");
    return 0;
}
