// violation: was woken
// One signal, two waiters: either may be the one.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER, both = PTHREAD_COND_INITIALIZER;
static int waiting, first;

static void *wait_once(void *arg)
{
    pthread_mutex_lock(&mutex);
    if (++waiting == 2)
        pthread_cond_signal(&both);
    pthread_cond_wait(&cond, &mutex);
    if (!first)
        first = (int)(intptr_t)arg;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, wait_once, (void *)1);
    pthread_create(&two, NULL, wait_once, (void *)2);
    pthread_mutex_lock(&mutex);
    while (waiting < 2)
        pthread_cond_wait(&both, &mutex);
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(first == 1 && "thread 2 was woken");
    return 0;
}
