// Clocks go forward, agree with each other, and with what was slept.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static int64_t now(clockid_t clock)
{
    struct timespec time;
    assert(clock_gettime(clock, &time) == 0);
    assert(time.tv_nsec >= 0 && time.tv_nsec < 1000000000);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static void *work(void *arg)
{
    (void)arg;
    int64_t before = now(CLOCK_MONOTONIC);
    struct timespec nap = {.tv_nsec = 2000000};
    assert(nanosleep(&nap, NULL) == 0);
    int64_t after = now(CLOCK_MONOTONIC);
    assert(after - before >= 2000000);
    struct timespec until = {.tv_sec = (after + 3000000) / 1000000000,
                             .tv_nsec = (after + 3000000) % 1000000000};
    assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
    assert(now(CLOCK_MONOTONIC) >= after + 3000000);
    assert(usleep(1000) == 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int64_t start = now(CLOCK_REALTIME);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    struct timeval day;
    gettimeofday(&day, NULL);
    struct timespec utc;
    assert(timespec_get(&utc, TIME_UTC) == TIME_UTC);
    assert(utc.tv_sec >= day.tv_sec && time(NULL) >= day.tv_sec);
    assert(now(CLOCK_REALTIME) - start >= 6000000);
    assert(clock() >= 0 && times(NULL) != (clock_t)-1);
    struct timespec bad = {.tv_nsec = -1};
    assert(nanosleep(&bad, NULL) == -1);
    return 0;
}
