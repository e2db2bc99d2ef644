// timedlock and clocklock: a free mutex is taken even when it is late; a held one times out.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct timespec after(clockid_t clock, long milliseconds)
{
    struct timespec now;
    clock_gettime(clock, &now);
    now.tv_nsec += milliseconds * 1000000;
    now.tv_sec += now.tv_nsec / 1000000000;
    now.tv_nsec %= 1000000000;
    return now;
}

static void *try_held(void *arg)
{
    (void)arg;
    struct timespec bad = {0, -1}, past = {0, 0};
    struct timespec soon = after(CLOCK_REALTIME, 10), soon_too = after(CLOCK_MONOTONIC, 10);
    assert(pthread_mutex_timedlock(&mutex, &bad) == EINVAL);
    assert(pthread_mutex_timedlock(&mutex, &past) == ETIMEDOUT);
    assert(pthread_mutex_timedlock(&mutex, &soon) == ETIMEDOUT);
    assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon_too) == ETIMEDOUT);
    assert(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &soon) == EINVAL);
    struct timespec now = after(CLOCK_MONOTONIC, 0);
    assert(now.tv_sec > soon_too.tv_sec ||
           (now.tv_sec == soon_too.tv_sec && now.tv_nsec >= soon_too.tv_nsec));
    return NULL;
}

int main(void)
{
    struct timespec past = {0, 0}, late = after(CLOCK_MONOTONIC, 3600 * 1000);
    pthread_t thread;
    assert(pthread_mutex_timedlock(&mutex, &past) == 0);
    pthread_create(&thread, NULL, try_held, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &late) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    return 0;
}
