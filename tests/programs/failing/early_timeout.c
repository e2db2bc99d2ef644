// expect: sometimes assert
// native: no
// A moment may pass before another thread gets to signal: a time limit is no promise that what is
// waited for has come. sync/timeouts.c is prepared for it; sync/cxx_condition.cpp waits a day.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

enum { ROUNDS = 20 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int given, taken;

static void *give(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        while (given > taken)
            pthread_cond_wait(&changed, &mutex);
        given++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, give, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        struct timespec when;
        clock_gettime(CLOCK_REALTIME, &when);
        when.tv_nsec += 100000000;
        when.tv_sec += when.tv_nsec / 1000000000;
        when.tv_nsec %= 1000000000;
        pthread_mutex_lock(&mutex);
        while (given == taken)
            assert(pthread_cond_timedwait(&changed, &mutex, &when) != ETIMEDOUT);
        taken++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return pthread_join(thread, NULL);
}
