// executions: 2
// The consumer waits and is woken, or comes late and need not wait.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, data;

static void *produce(void *unused)
{
    pthread_mutex_lock(&mutex);
    data = 1;
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, produce, NULL);
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&cond, &mutex);
    assert(data == 1);
    pthread_mutex_unlock(&mutex);
    pthread_join(one, NULL);
    return 0;
}
