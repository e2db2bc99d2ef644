// Timed waits on a semaphore: a token is taken at once, even late; without one time runs out.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t sem;

static void *post(void *arg)
{
    sem_post(&sem);
    return arg;
}

int main(void)
{
    struct timespec past = {0, 0}, soon, later, bad = {0, -1};
    pthread_t thread;
    sem_init(&sem, 0, 1);
    assert(sem_timedwait(&sem, &past) == 0);
    assert(sem_timedwait(&sem, &past) == -1 && errno == ETIMEDOUT);
    assert(sem_timedwait(&sem, &bad) == -1 && errno == EINVAL);
    clock_gettime(CLOCK_MONOTONIC, &soon);
    soon.tv_sec += 1;
    assert(sem_clockwait(&sem, CLOCK_MONOTONIC, &soon) == -1 && errno == ETIMEDOUT);
    clock_gettime(CLOCK_REALTIME, &later);
    later.tv_sec += 3600;
    pthread_create(&thread, NULL, post, NULL);
    assert(sem_timedwait(&sem, &later) == 0);
    pthread_join(thread, NULL);
    return 0;
}
