// violation: fails the assertion
// The mutex is held from before the wait, which another thread that tries it sees; after a wait
// that ended for no reason the waiter goes on before the signal.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int ready, told;

static void *tell(void *unused)
{
    if (pthread_mutex_trylock(&mutex) == 0) {
        ready = told = 1;
        pthread_mutex_unlock(&mutex);
        return unused;
    }
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    told = 1;
    pthread_cond_signal(&cond);
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, tell, NULL);
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&cond, &mutex);
    assert(told);
    pthread_mutex_unlock(&mutex);
    pthread_join(one, NULL);
    return 0;
}
