// violation: fails the assertion
#include <assert.h>
#include <pthread.h>

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
    int waits = 0;
    pthread_create(&one, NULL, tell, NULL);
    pthread_mutex_lock(&mutex);
    while (!ready && ++waits)
        pthread_cond_wait(&cond, &mutex);
    assert(waits < 2);
    pthread_mutex_unlock(&mutex);
    pthread_join(one, NULL);
    return 0;
}
