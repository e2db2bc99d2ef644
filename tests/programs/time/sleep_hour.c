// options: --timeout 600
// native: no
// sleep(3600) ends at once, and the clocks agree that an hour has passed.
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void *work(void *arg)
{
    sleep(3600);
    return arg;
}

int main(void)
{
    struct timespec before, after;
    struct timeval day;
    time_t start = time(NULL);
    pthread_t thread;

    clock_gettime(CLOCK_MONOTONIC, &before);
    pthread_create(&thread, NULL, work, NULL);
    assert(sleep(3600) == 0);
    pthread_join(thread, NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
    gettimeofday(&day, NULL);
    assert(after.tv_sec - before.tv_sec >= 3600 && after.tv_sec - before.tv_sec < 7300);
    assert(time(NULL) - start >= 3600 && day.tv_sec - start >= 3600);
    return 0;
}
