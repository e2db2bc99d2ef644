// Waiting with an error-checking mutex that is not held is refused.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
    pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    assert(pthread_cond_wait(&cond, &mutex) == EPERM);
    assert(pthread_cond_signal(&cond) == 0 && pthread_cond_broadcast(&cond) == 0);
    return 0;
}
