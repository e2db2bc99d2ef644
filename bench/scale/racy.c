/* Two racy variables that do no harm: all of the plan is counted. */
#include <pthread.h>

static int hits, misses;

static void *count(void *none)
{
    hits++;
    misses++;
    return none;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, count, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
}
