// Timed waits: with each clock they end when nobody signals, not before their time.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct timespec after(clockid_t clock, long nanoseconds)
{
    struct timespec now;
    clock_gettime(clock, &now);
    now.tv_nsec += nanoseconds;
    now.tv_sec += now.tv_nsec / 1000000000;
    now.tv_nsec %= 1000000000;
    return now;
}

static int reached(clockid_t clock, const struct timespec *when)
{
    struct timespec now = after(clock, 0);
    return now.tv_sec > when->tv_sec ||
           (now.tv_sec == when->tv_sec && now.tv_nsec >= when->tv_nsec);
}

static void wait_it(clockid_t clock)
{
    pthread_condattr_t attributes;
    pthread_cond_t cond;
    pthread_condattr_init(&attributes);
    assert(pthread_condattr_setclock(&attributes, clock) == 0);
    assert(pthread_cond_init(&cond, &attributes) == 0);
    struct timespec when = after(clock, 3000000);
    int result;
    while ((result = pthread_cond_timedwait(&cond, &mutex, &when)) == 0)
        ;
    assert(result == ETIMEDOUT && reached(clock, &when));
    assert(pthread_cond_destroy(&cond) == 0);
}

int main(void)
{
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    struct timespec bad = {0, 1000000000}, when = after(CLOCK_MONOTONIC, 3000000);
    pthread_mutex_lock(&mutex);
    wait_it(CLOCK_REALTIME);
    wait_it(CLOCK_MONOTONIC);
    assert(pthread_cond_timedwait(&cond, &mutex, &bad) == EINVAL);
    while (pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &when) == 0)
        ;
    assert(reached(CLOCK_MONOTONIC, &when));
    assert(pthread_mutex_unlock(&mutex) == 0);
    return 0;
}
