// options: --timeout 600
// native: no
// Ten thousand short sleeps, and a hundred on each of two threads, take no real time.
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static void *work(void *arg)
{
    struct timespec nap = {0, 500000};

    for (int i = 0; i < 100; i++)
        nanosleep(&nap, NULL);
    return arg;
}

int main(void)
{
    struct timespec before, after;
    pthread_t threads[2];

    clock_gettime(CLOCK_MONOTONIC, &before);
    for (int i = 0; i < 10000; i++)
        usleep(1000);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec - before.tv_sec >= 10 && after.tv_sec - before.tv_sec < 20);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
