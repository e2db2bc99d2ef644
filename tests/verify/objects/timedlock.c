// executions: 3
// A lock with a time limit: before, in vain, behind.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *increment(void *unused)
{
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one;
    struct timespec soon = {.tv_sec = 2000000000};
    pthread_create(&one, NULL, increment, NULL);
    int error = pthread_mutex_timedlock(&mutex, &soon);
    assert(error == 0 || error == ETIMEDOUT);
    if (!error) {
        x++;
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(one, NULL);
    assert(x == 1 + !error);
    return 0;
}
