/*
 * All threads write the same value to a flag (Jumble: montecarlo, UNIVERSAL_DEBUG).
 *
 * hunt: debug proved-benign
 */
#include <pthread.h>
#include <stdio.h>

static int debug = 1;

static void *simulate(void *arg)
{
    debug = 1;
    if (!debug)
        puts("no debugging");
    return arg;
}

int main(void)
{
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, simulate, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    puts("simulated");
    return 0;
}
