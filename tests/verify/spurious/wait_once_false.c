// violation: fails the assertion
// A wait may end without a signal: who does not look again goes on too early.
#include <assert.h>
#include <pthread.h>

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
    pthread_create(&one, NULL, tell, NULL);
    pthread_mutex_lock(&mutex);
    UNTIL(!ready)
    pthread_cond_wait(&cond, &mutex);
    assert(ready);
    pthread_mutex_unlock(&mutex);
    pthread_join(one, NULL);
    return 0;
}
