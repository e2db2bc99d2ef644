// violation: fails the assertion
// A wait with a limit that returns 0 need not have been signalled either.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#ifndef UNTIL
#define UNTIL(condition) if (condition)
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static void *tell(void *unused)
{
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one;
    struct timespec soon = {.tv_sec = 2000000000};
    int result = 0;
    pthread_create(&one, NULL, tell, NULL);
    pthread_mutex_lock(&mutex);
    UNTIL(!ready && !result)
    result = pthread_cond_timedwait(&cond, &mutex, &soon);
    assert(ready || result == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    pthread_join(one, NULL);
    return 0;
}
