// violation: waits for a condition variable 'cond'
// The flag is set without the mutex: the signal may come between the look and the wait.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *produce(void *unused)
{
    atomic_store(&ready, 1);
    pthread_cond_signal(&cond);
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, produce, NULL);
    pthread_mutex_lock(&mutex);
    while (!atomic_load(&ready))
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(one, NULL);
    return 0;
}
