// tryjoin, timedjoin and clockjoin of a thread that goes on, and of one that has ended.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t go;

static void *work(void *arg)
{
    sem_wait(&go);
    return arg;
}

int main(void)
{
    struct timespec past = {0, 0}, soon;
    pthread_t thread;
    void *result;
    sem_init(&go, 0, 0);
    pthread_create(&thread, NULL, work, &go);
    assert(pthread_tryjoin_np(thread, NULL) == EBUSY);
    assert(pthread_timedjoin_np(thread, NULL, &past) == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &soon);
    soon.tv_nsec = soon.tv_nsec / 2;
    assert(pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
    sem_post(&go);
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec += 3600;
    assert(pthread_timedjoin_np(thread, &result, &soon) == 0 && result == &go);
    return 0;
}
